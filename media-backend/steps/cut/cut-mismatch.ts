/** The parts of a cut do not fit together, or the result differs from its source. Everything is encoded instead. */
export class CutMismatch extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CutMismatch'
  }
}
