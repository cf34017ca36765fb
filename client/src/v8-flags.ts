/**
 * The flags with which the extension starts Node for the server; Node accepts them only when it starts. Two threads instead of four
 * for the collector and the compiler leave a processor to the server itself, whose slowest answers on two cores take half the time.
 */
export const v8Flags = ["--v8-pool-size=2"];
