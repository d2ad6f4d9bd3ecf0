/** A problem that the user can fix: its message is printed without a stack trace. */
export class StartUpError extends Error {}

/** Thrown by a start that is still in progress when stopping begins. */
export class Interrupted extends Error {
  constructor() {
    super('Interrupted')
  }
}
