import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Piece, rewriteFile } from './bytes.ts'

test('writes hundreds of thousands of small pieces in order', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strip-bytes-'))
  try {
    const [input, output] = [join(folder, 'input'), join(folder, 'output')]
    const content = Buffer.alloc(2_000_000, 'abcdefgh')
    await writeFile(input, content)
    const pieces: Piece[] = []
    for (let at = 0; at < content.length; at += 8) pieces.push({ start: at, end: at + 4 }, Buffer.from('x'))
    const { signal } = new AbortController()
    await rewriteFile(input, output, signal, async () => [
      ...pieces,
      { zeros: 3 },
      { start: 1_999_999, end: 3_000_000 },
    ])
    const expected = Buffer.concat([Buffer.alloc(1_250_000, 'abcdx'), Buffer.alloc(3), Buffer.from('h')])
    expect((await readFile(output)).equals(expected)).toBe(true)
  } finally {
    await rm(folder, { recursive: true })
  }
})
