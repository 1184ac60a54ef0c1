import { CorruptImage } from './bytes.ts'

/** Reads consecutive big-endian numbers. */
export class Cursor {
  at = 0
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /**
   * Reads a number of `size` bytes.
   * @throws CorruptImage past the end.
   */
  number(size: number): number {
    const start = this.at
    this.skip(size)
    if (size === 0) return 0
    if (size === 8) return Number(this.#bytes.readBigUInt64BE(start))
    if (size > 6) throw new CorruptImage(`a number of ${size} bytes`)
    return this.#bytes.readUIntBE(start, size)
  }

  text(size: number): string {
    this.skip(size)
    return this.#bytes.toString('latin1', this.at - size, this.at)
  }

  skip(size: number): void {
    if (this.at + size > this.#bytes.length) throw new CorruptImage('a box that ends early')
    this.at += size
  }
}
