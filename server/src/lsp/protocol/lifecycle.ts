/**
 * Enforces the order in which the protocol allows messages (nothing before `initialize`, which comes once, and only `exit` after
 * `shutdown`), and the form of their parameters. The checks precede every handler, so no handler has to do them.
 */
import { type Connection, ErrorCodes, type Message, type MessageStrategy, ResponseError } from "vscode-languageserver";
import { areParametersOf } from "./parameters.ts";

/** The state of one session, which decides how each message is handled. */
export interface Lifecycle extends MessageStrategy {
  /** True once the client has sent `shutdown`. */
  isDown(): boolean;
  /** Answers requests that come at the wrong time. */
  answerOn(connection: Connection): void;
}

/** A refused request is redirected to this method, whose handler answers it. */
const refused = "gpu-qualifiers/refused";

interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** The state of a new connection. */
export function createLifecycle(): Lifecycle {
  let state: "new" | "initialized" | "down" = "new";

  const refusalOf = (method: string, parameters: unknown): Refusal | undefined => {
    if (state === "down") return { code: ErrorCodes.InvalidRequest, message: `'${method}' after 'shutdown'` };
    if (method === "initialize")
      return state === "new" ? undefined : { code: ErrorCodes.InvalidRequest, message: "the server is initialized already" };
    if (state === "new") return { code: ErrorCodes.ServerNotInitialized, message: `'${method}' before 'initialize'` };
    if (!areParametersOf(method, parameters)) return { code: ErrorCodes.InvalidParams, message: `'${method}' has wrong parameters` };
    return undefined;
  };

  return {
    isDown: () => state === "down",
    answerOn(connection) {
      connection.onRequest(refused, ({ code, message }: Refusal) => new ResponseError(code, message));
    },
    handleMessage(message, next) {
      const { method, id, params } = message as Message & { readonly method?: unknown; readonly id?: unknown; readonly params?: unknown };
      if (typeof method !== "string") return next(message);
      if (id === undefined) {
        const isHeard = method === "exit" || (state === "initialized" && areParametersOf(method, params));
        return isHeard ? next(message) : undefined;
      }
      const refusal = refusalOf(method, params);
      if (refusal !== undefined) return next({ ...message, method: refused, params: refusal } as Message);
      if (method === "initialize") state = "initialized";
      if (method === "shutdown") state = "down";
      return next(message);
    },
  };
}
