/**
 * Generates scripts that complete the command line in bash, zsh and fish. They are generated from commander's commands, so that no
 * option is missing. They are self-contained: a completion starts no program.
 */
import type { Command, Option } from "commander";
import { rules } from "../rules/index.ts";

/** The shells for which there is a completion script. */
export const shells = ["bash", "zsh", "fish"] as const;

/** The values that can follow a command or an option. */
type Values = readonly string[] | "files";

interface Described {
  /** The subcommand's words after the program's name: `baseline update`. */
  readonly path: string;
  readonly description: string;
  readonly commands: readonly Described[];
  readonly options: readonly {
    readonly names: readonly string[];
    readonly description: string;
    /** Undefined if the option takes no value, empty if its values cannot be listed. */
    readonly values: Values | undefined;
  }[];
  readonly operands: Values;
}

/** The whole script. */
export function completionFor(shell: (typeof shells)[number], program: Command): string {
  const described = describe(program, "");
  if (shell === "bash") return bash(described);
  return shell === "zsh" ? zsh(described) : fish(described);
}

const ids = rules.map(({ id }) => id);

function describe(command: Command, path: string): Described {
  const help = { names: ["--help", "-h"], description: "show help", values: undefined };
  const own = command.registeredArguments[0];
  return {
    path,
    description: command.description(),
    commands: command.commands.map((sub) => describe(sub, `${path} ${sub.name()}`.trim())),
    options: [...command.options.map(optionOf), help],
    operands: own === undefined ? [] : (own.argChoices ?? (own.name() === "rule" ? ids : "files")),
  };
}

function optionOf(option: Option): Described["options"][number] {
  const names = [option.long, option.short].filter((name) => typeof name === "string");
  return { names, description: option.description, values: valuesOf(option) };
}

function valuesOf({ flags, argChoices }: Option): Values | undefined {
  if (argChoices !== undefined) return argChoices;
  if (flags.includes("<id=severity>")) return ids.map((id) => `${id}=`);
  if (/<(file|path|folder)>/.test(flags)) return "files";
  return flags.includes("<") ? [] : undefined;
}

function all(command: Described): readonly Described[] {
  return [command, ...command.commands.flatMap(all)];
}

function bash(program: Described): string {
  const commands = all(program);
  const words = (values: Values) => (values === "files" ? "" : values.join(" "));
  const cases = commands.map(({ path, options, operands, commands: inner }) => {
    const valued = options.filter(({ values }) => values !== undefined);
    const valueCases = valued.map(({ names, values = [] }) => {
      const reply = values === "files" ? files : `COMPREPLY=($(compgen -W "${words(values)}" -- "$word"))`;
      return `        ${names.join("|")}) ${reply}; return ;;`;
    });
    const dashes = options.flatMap(({ names }) => names).join(" ");
    const rest = inner.length > 0 ? inner.map((one) => one.path.split(" ").at(-1)).join(" ") : words(operands);
    const operand = inner.length === 0 && operands === "files" ? files : `COMPREPLY=($(compgen -W "${rest}" -- "$word"))`;
    return [
      `    "${path}")`,
      ...(valueCases.length === 0 ? [] : ['      case "$before" in', ...valueCases, "      esac"]),
      `      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "${dashes}" -- "$word")); else ${operand}; fi ;;`,
    ].join("\n");
  });
  const paths = commands.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  return `# gpu-qualifiers in bash: eval "$(gpu-qualifiers completion bash)" in ~/.bashrc
_gpu_qualifiers() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path= try i
  COMPREPLY=()
  # Bash takes '=' for a word of its own.
  if [[ $before == '=' && $COMP_CWORD -gt 2 ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    try=$path\${path:+ }\${COMP_WORDS[i]}
    case "$try" in ${paths.join("|")}) path=$try ;; esac
  done
  case "$path" in
${cases.join("\n")}
  esac
}
complete -o filenames -F _gpu_qualifiers gpu-qualifiers
`;
}

const files = 'mapfile -t COMPREPLY < <(compgen -f -- "$word")';

function zsh(program: Described): string {
  const functions = all(program).map((command) => {
    const options = command.options.flatMap(({ names, description, values }) => {
      const note = zshText(description);
      const value = values === undefined ? "" : `:value:${zshValues(values)}`;
      const many = values !== undefined && values !== "files" && values.some((one) => one.endsWith("=")) ? "*" : "";
      return names.map((name) => `    '${many}${name}[${note}]${value}'`);
    });
    const inner = command.commands.map(({ path, description }) => `'${path.split(" ").at(-1)}:${zshText(description)}'`);
    const rest =
      inner.length > 0
        ? ["    '1: :->command'", "    '*:: :->rest'"]
        : command.operands === "files" || command.operands.length > 0
          ? [`    '*:value:${zshValues(command.operands)}'`]
          : [];
    const lines = [
      `${zshName(command.path)}() {`,
      ...(inner.length === 0 ? [] : ["  local context state state_descr line", "  typeset -A opt_args"]),
      `  _arguments ${inner.length === 0 ? "" : "-C "}\\`,
      [...options, ...rest].join(" \\\n"),
      ...(inner.length === 0
        ? []
        : [
            '  case "$state" in',
            `    command) local -a commands; commands=(${inner.join(" ")}); _describe command commands ;;`,
            '    rest) case "$line[1]" in',
            ...command.commands.map(({ path }) => `      ${path.split(" ").at(-1)}) ${zshName(path)} ;;`),
            "    esac ;;",
            "  esac",
          ]),
      "}",
    ];
    return lines.join("\n");
  });
  return `#compdef gpu-qualifiers
# gpu-qualifiers in zsh: gpu-qualifiers completion zsh > a folder of $fpath, as _gpu-qualifiers
${functions.join("\n")}
if [ "$funcstack[1]" = "_gpu-qualifiers" ]; then _gpu_qualifiers "$@"; else compdef _gpu_qualifiers gpu-qualifiers; fi
`;
}

function zshName(path: string): string {
  return path === "" ? "_gpu_qualifiers" : `_gpu_qualifiers_${path.replaceAll(" ", "_")}`;
}

function zshValues(values: Values): string {
  return values === "files" ? "_files" : `(${values.join(" ")})`;
}

function zshText(text: string): string {
  return text.replaceAll("'", "").replace(/[[\]:\\]/g, "\\$&");
}

function fish(program: Described): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = all(program).flatMap((command) => {
    const words = command.path === "" ? [] : command.path.split(" ");
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const names = command.commands.map(({ path }) => path.split(" ").at(-1) ?? "");
    const none = names.length === 0 ? [] : [`not __fish_seen_subcommand_from ${names.join(" ")}`];
    const when = [...seen, ...none].join("; and ");
    const head = `complete -c gpu-qualifiers${when === "" ? "" : ` -n ${quoted(when)}`}`;
    const inner = command.commands.map(({ path, description }) => `${head} -a ${path.split(" ").at(-1)} -d ${quoted(description)}`);
    const operands =
      command.operands === "files"
        ? [`${head} -F`]
        : command.operands.length > 0
          ? [`${head} -a ${quoted(command.operands.join(" "))}`]
          : [];
    const options = command.options.map((option) => {
      const spelled = option.names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(" ");
      const { values } = option;
      const value =
        values === undefined ? "" : values === "files" ? " -r -F" : ` -x${values.length === 0 ? "" : ` -a ${quoted(values.join(" "))}`}`;
      return `${head} ${spelled}${value} -d ${quoted(option.description)}`;
    });
    return [...inner, ...operands, ...options];
  });
  return `# gpu-qualifiers in fish: gpu-qualifiers completion fish > ~/.config/fish/completions/gpu-qualifiers.fish
complete -c gpu-qualifiers -f
${lines.join("\n")}
`;
}
