"""gpu-qualifiers in a build of Bazel: an action for each source, and one that links what they learnt.

The actions are ordinary ones, which are cached. They start the Node of `//:node`: the one on the PATH, or
another that is an input of the actions.

    load("@gpu_qualifiers//integrations/bazel:defs.bzl", "gpu_qualifiers_test")

    gpu_qualifiers_test(
        name = "qualifiers",
        targets = [":kernels"],
    )
"""

GpuQualifiersInfo = provider(
    doc = "What has been learnt of a target's sources, and of those that it depends on.",
    fields = {
        "summaries": "depset of summary files",
        "sources": "depset of the files that they were made of",
        "entries": "depset of compilation database entries, one for each source",
    },
)

_EXTENSIONS = ["cu", "cuh", "hip", "cl", "clh", "clcpp", "clpp", "opencl", "ocl"]

def _files_of(ctx, names):
    files = []
    for name in names:
        value = getattr(ctx.rule.attr, name, None)
        if type(value) == "list":
            for target in value:
                if type(target) == "Target":
                    files.extend(target[DefaultInfo].files.to_list())
    return files

def _flags_of(target, ctx):
    flags = [ctx.expand_make_variables("copts", flag, {}) for flag in getattr(ctx.rule.attr, "copts", [])]
    flags += ["-D" + name for name in getattr(ctx.rule.attr, "defines", []) + getattr(ctx.rule.attr, "local_defines", [])]
    if CcInfo in target:
        context = target[CcInfo].compilation_context
        flags += ["-D" + name for name in context.defines.to_list()]
        flags += ["-iquote" + path for path in context.quote_includes.to_list()]
        flags += ["-I" + path for path in context.includes.to_list()]
        flags += ["-isystem" + path for path in context.system_includes.to_list()]
    else:
        flags.append("-I.")
    return flags

def _list(ctx, name, files):
    out = ctx.actions.declare_file(name)
    content = ctx.actions.args()
    content.set_param_file_format("multiline")
    content.add_all(files)
    ctx.actions.write(out, content)
    return out

def _summarize(ctx, source, world, flags):
    base = "%s.gpu-qualifiers/%s" % (ctx.label.name, source.short_path.replace("/", "_"))
    entry = ctx.actions.declare_file(base + ".json")
    ctx.actions.write(entry, struct(directory = ".", file = source.path, arguments = ["compiler"] + flags + [source.path]).to_json())
    inputs = _list(ctx, base + ".inputs", world)
    entries = _list(ctx, base + ".entries", depset([entry]))
    out = ctx.actions.declare_file(base + ".sum")
    program = ctx.files._program
    ctx.actions.run(
        executable = ctx.executable._node,
        arguments = [ctx.file._in_world.path, _cli(program).path, inputs.path, entries.path, out.path, "-"] +
                    ["summarize", "--no-cache", "--jobs", "1", source.path],
        inputs = depset([ctx.file._in_world, entry, inputs, entries] + program, transitive = [world]),
        outputs = [out],
        mnemonic = "GpuQualifiers",
        progress_message = "Checking qualifiers of %s" % source.short_path,
        use_default_shell_env = True,
    )
    return entry, out

def _cli(program):
    for file in program:
        if file.basename == "cli.js":
            return file
    fail("the program has no cli.js")

def _aspect(target, ctx):
    sources = [file for file in _files_of(ctx, ["srcs"]) if file.extension in _EXTENSIONS]
    headers = _files_of(ctx, ["hdrs", "textual_hdrs"]) + [file for file in _files_of(ctx, ["srcs"]) if file not in sources]
    below = [dep[GpuQualifiersInfo] for dep in getattr(ctx.rule.attr, "deps", []) if GpuQualifiersInfo in dep]
    compiled = [target[CcInfo].compilation_context.headers] if CcInfo in target else []
    world = depset(sources + headers, transitive = compiled + [info.sources for info in below])
    made = [_summarize(ctx, source, world, _flags_of(target, ctx)) for source in sources]
    summaries = depset([summary for _, summary in made], transitive = [info.summaries for info in below])
    info = GpuQualifiersInfo(
        summaries = summaries,
        sources = world,
        entries = depset([entry for entry, _ in made], transitive = [info.entries for info in below]),
    )
    return [info, OutputGroupInfo(gpu_qualifiers = summaries)]

_TOOLS = {
    "_program": attr.label(default = "//:program"),
    "_node": attr.label(default = "//:node", allow_single_file = True, executable = True, cfg = "exec"),
    "_in_world": attr.label(default = "//integrations/bazel:in_world.mjs", allow_single_file = True),
}

gpu_qualifiers_aspect = aspect(
    implementation = _aspect,
    doc = "Summarizes every CUDA and OpenCL source of a target and of its dependencies: `bazel build --aspects=… --output_groups=gpu_qualifiers`.",
    attr_aspects = ["deps"],
    attrs = _TOOLS,
)

def _test(ctx):
    infos = [target[GpuQualifiersInfo] for target in ctx.attr.targets]
    summaries = depset(transitive = [info.summaries for info in infos])
    entries = depset(transitive = [info.entries for info in infos])
    world = depset(ctx.files.settings, transitive = [info.sources for info in infos])
    base = "%s.gpu-qualifiers/" % ctx.label.name
    inputs = _list(ctx, base + "inputs", world)
    list_of_entries = _list(ctx, base + "entries", entries)
    report = ctx.actions.declare_file(base + "report.txt")
    code = ctx.actions.declare_file(base + "code")
    arguments = ctx.actions.args()
    arguments.add_all([ctx.file._in_world, _cli(ctx.files._program), inputs, list_of_entries, report, code, "link", "--no-cache", "--jobs", "1"])
    arguments.add_all(ctx.attr.options)
    arguments.add_all(summaries, format_each = "@HERE@/%s")
    ctx.actions.run(
        executable = ctx.executable._node,
        arguments = [arguments],
        inputs = depset([ctx.file._in_world, inputs, list_of_entries] + ctx.files._program, transitive = [world, summaries, entries]),
        outputs = [report, code],
        mnemonic = "GpuQualifiersLink",
        progress_message = "Linking qualifiers of %s" % ctx.label,
        use_default_shell_env = True,
    )
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(script, "#!/bin/sh\ncat '%s'\nexit \"$(cat '%s')\"\n" % (report.short_path, code.short_path), is_executable = True)
    return [DefaultInfo(files = depset([report]), executable = script, runfiles = ctx.runfiles([report, code]))]

gpu_qualifiers_test = rule(
    implementation = _test,
    doc = "Fails where `gpu-qualifiers check` would. Its output is the report, which `bazel build` makes as well.",
    test = True,
    attrs = dict(
        _TOOLS,
        targets = attr.label_list(doc = "Whose sources are checked, with those of their dependencies.", aspects = [gpu_qualifiers_aspect]),
        settings = attr.label_list(doc = "gpu-qualifiers.json and its like.", allow_files = True),
        options = attr.string_list(doc = "Options of 'gpu-qualifiers link', such as --level=info."),
    ),
)
