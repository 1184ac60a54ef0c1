import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './system/root.ts'

const COMMENT = /(?:^\s*\*|\/\*\*?|^\s*\/\/|\s\/\/ )(.*)/
const PATH = /(?<![\w/:.'"*{-])(?:[\w-]+\/)*[\w-][\w.-]*\.(?:ts|mjs|md|toml|sql)\b/g

const sources = globSync('{bench,dev,edge,media-backend,shared,test}/**/*.{ts,mjs}', { cwd: ROOT })

/** Finds paths in a file's comments that exist neither relative to the repository root nor relative to the file. */
function findMissing(file: string): string[] {
  return readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .flatMap((line) => COMMENT.exec(line)?.[1]?.match(PATH) ?? [])
    .filter((path) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, dirname(file), path)))
}

test('comments cite files that exist', () => {
  const missing = sources.flatMap((file) => findMissing(file).map((path) => `${file}: ${path}`))
  expect(missing).toEqual([])
})
