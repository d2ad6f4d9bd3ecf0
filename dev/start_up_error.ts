/** Something the reader can put right: shown as its sentence, without a stack. */
export class StartUpError extends Error {}

/** Thrown by whatever is still being brought up once stopping has begun. */
export class Interrupted extends Error {
  constructor() {
    super('Interrupted')
  }
}
