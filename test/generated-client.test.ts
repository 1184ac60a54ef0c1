/** @module-tag extended */

import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { installedProgram, ROOT } from '../dev/system/root.ts'
import { GENERATORS } from './generated-client/generators.ts'
import { typeChecks } from './generated-client/type-checks.ts'
import { fetchDocument } from './support/api-document.ts'

const { api_url } = inject('system')
const execute = promisify(execFile)
const PROGRAM = join(import.meta.dirname, 'generated-client/program.ts')
const STRICT = {
  target: 'ES2024',
  module: 'NodeNext',
  lib: ['ES2024', 'DOM', 'DOM.Iterable'],
  types: ['node'],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
}

let folder: string

/**
 * Runs a Node program in the folder.
 * @returns its standard output
 * @throws with all of its output if the program fails
 */
async function runNode(...args: string[]): Promise<string> {
  const options = { cwd: folder, timeout: 60_000 }
  const { stdout } = await execute(process.execPath, args, options).catch((error) => {
    throw new Error(`${args.join(' ')}\n${error.stdout}${error.stderr}`)
  })
  return stdout
}

beforeAll(async () => {
  // The folder is inside the project, so the program can import the generator's runtime library.
  const parent = join(ROOT, '.data/tests')
  await mkdir(parent, { recursive: true })
  folder = await mkdtemp(join(parent, 'client-'))
  await writeFile(join(folder, 'openapi.json'), await fetchDocument(api_url))
  await copyFile(PROGRAM, join(folder, 'program.ts'))
  const config = { compilerOptions: STRICT, files: ['program.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const style = ['--optimistic', '--useUnknown', '--argumentStyle=object']
  await runNode(installedProgram('oazapfts'), 'openapi.json', 'client.ts', ...style)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a program that uses the generated client passes the type check', async () => {
  expect(await runNode(installedProgram('tsc'), '--checkers', '1', '--project', folder)).toBe('')
})

test.each(GENERATORS.map((generator) => [generator.name, generator] as const))(
  'a client of %s knows the parameters and the results of every operation',
  async (_, { args, imports }) => {
    await runNode(...args)
    await writeFile(join(folder, 'checks.ts'), [imports, typeChecks()].join('\n'))
    const config = join(folder, 'tsconfig.checks.json')
    // The generators write imports without file extensions.
    const compilerOptions = { ...STRICT, module: 'ESNext', moduleResolution: 'bundler' }
    await writeFile(config, JSON.stringify({ compilerOptions, files: ['checks.ts'] }))
    expect(await runNode(installedProgram('tsc'), '--checkers', '1', '--project', config)).toBe('')
  },
)

test('the program creates an account, uploads, submits a job and polls until it ends', async () => {
  const dot = join(folder, 'dot.png')
  await sharp({ create: { width: 32, height: 32, channels: 3, background: '#808080' } }).toFile(dot)
  const printed = await runNode('program.ts', api_url, dot)
  expect(JSON.parse(printed)).toEqual({
    tier: 'free',
    affordable: true,
    same_job: true,
    status: 'done',
    content_type: 'image/png',
    width: 16,
    listed: [true],
    refused: 404,
  })
})
