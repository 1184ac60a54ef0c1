import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CommandInput } from './inputs.ts'
import { patternExpression } from './inputs.ts'
import { outputPath, planOutputs, requestedExtension } from './outputs.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-outputs-'))
})
afterEach(() => rm(folder, { recursive: true }))

const file = (stem: string, subfolder = ''): CommandInput => ({
  name: join(folder, subfolder, `${stem}.jpg`),
  kind: 'file',
  stem,
  subfolder,
  folder: join(folder, subfolder),
})

function plan(inputs: CommandInput[], output?: string, others: { extension?: string; force?: boolean } = {}) {
  const request = {
    output,
    printsText: false,
    force: false,
    command: 'resize',
    extension: undefined,
    ...others,
  }
  return planOutputs(inputs, request)
}

async function pathsOf(...values: Parameters<typeof plan>): Promise<string[]> {
  const plans = await plan(...values)
  return plans.map((each) => (each.kind === 'stdout' ? '-' : outputPath(each, 'result.webp', 0)))
}

describe('the result', () => {
  test('is saved beside its input under another name, and elsewhere under the same', async () => {
    expect(await pathsOf([file('a')])).toEqual([join(folder, 'a-resize.webp')])
    expect(await pathsOf([file('a')], folder)).toEqual([join(folder, 'a-resize.webp')])
    const out = join(folder, 'out/')
    expect(await pathsOf([file('a'), file('b', 'deep')], out)).toEqual([`${out}a.webp`, `${out}deep/b.webp`])
    expect(await pathsOf([file('a')], join(folder, 'one.webp'))).toEqual([join(folder, 'one.webp')])
    expect(await pathsOf([file('a')], '-')).toEqual(['-'])
  })

  test('in a folder that cannot be created is refused', async () => {
    await writeFile(join(folder, 'file'), '')
    const refused = { name: 'UsageError' }
    await expect(plan([file('a')], '/proc/none/deep/')).rejects.toMatchObject(refused)
    await expect(plan([file('a')], join(folder, 'file/deep/'))).rejects.toMatchObject(refused)
    await expect(plan([file('a')], '/proc/none/a.webp')).rejects.toMatchObject(refused)
  })

  test('of several files has a number in the name of each but the first', async () => {
    const [only] = await plan([file('a')])
    if (only === undefined || only.kind === 'stdout') throw new Error('The result is not saved.')
    expect(outputPath(only, 'two.srt', 1)).toBe(join(folder, 'a-resize-2.srt'))
  })

  test('is refused where it would hide another or a file', async () => {
    const out = join(folder, 'out/')
    await expect(plan([file('a'), file('a')], out)).rejects.toThrow('same name')
    await expect(plan([file('a'), file('b')], '-')).rejects.toThrow('one input only')
    await writeFile(join(folder, 'a-resize.png'), '')
    await expect(plan([file('a')])).rejects.toThrow('--force')
    await expect(plan([file('a')], undefined, { extension: 'png' })).rejects.toThrow('--force')
    expect(await plan([file('a')], undefined, { extension: 'webp' })).toHaveLength(1)
    expect(await plan([file('a')], undefined, { force: true })).toHaveLength(1)
    await expect(plan([file('a')], join(folder, 'a-resize.png'))).rejects.toThrow('--force')
    await expect(plan([file('a'), file('b')], join(folder, 'a-resize.png'))).rejects.toThrow('is a file')
  })
})

test.each([
  [{ format: 'jpeg' }, 'jpg'],
  [{ format: 'webp' }, 'webp'],
  [{ audio_format: 'mp3' }, 'mp3'],
  [{ width: 1 }, undefined],
])('the extension that %j determines is %s', (params, extension) => {
  expect(requestedExtension(params)).toBe(extension)
})

test.each([
  ['/a/*.jpg', ['/a/b.jpg'], ['/a/b.png', '/a/c/b.jpg', '/a/bxjpg']],
  ['/a/**/*.jpg', ['/a/b.jpg', '/a/c/d/b.jpg'], ['/b/a.jpg']],
  ['/a/?.(x)', ['/a/b.(x)'], ['/a/bb.(x)']],
])('the pattern %s', (pattern, matching, others) => {
  const expression = patternExpression(pattern)
  expect(matching.filter((path) => !expression.test(path))).toEqual([])
  expect(others.filter((path) => expression.test(path))).toEqual([])
})
