/** @module-tag extended */

import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { copyTypes } from '../../dev/build-client.ts'
import { installedProgram, ROOT } from '../../dev/system/root.ts'
import { runCommand, useBuiltClient } from '../support/built-client.ts'
import { makeClip } from '../support/clips.ts'
import { openKey } from '../support/media.ts'

const system = inject('system')
const readme = await readFile(join(ROOT, 'client/README.md'), 'utf8')
const built = useBuiltClient()
/** Folder inside the project, so that the type check finds the types of Node. */
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  const parent = join(ROOT, '.data/tests')
  await mkdir(parent, { recursive: true })
  folder = await mkdtemp(join(parent, 'readme-'))
  const { apiUrl, apiKey } = await openKey(system)
  env = { MEDIA_API_URL: apiUrl, MEDIA_API_KEY: apiKey, PATH: `${folder}:${process.env.PATH}` }
  await sharp({ create: { width: 64, height: 48, channels: 3, background: '#abcdef' } }).toFile(
    join(folder, 'photo.jpg'),
  )
  await copyFile(join(folder, 'photo.jpg'), join(folder, 'harbor.jpg'))
  await makeClip(folder, { name: 'clip.mp4', seconds: 3 })
  const command = join(folder, 'media')
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${built('media.js')}' "$@"\n`)
  await chmod(command, 0o755)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function readBlocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code = '']) => code,
  )
}

const PRINTED: Record<string, RegExp> = {
  'width: 800 }': /^uploading 0\n(.*\n)*processing 100\n800 \d+\n$/,
  "operation: 'trim'": /^queued\n(.*\n)*done\nclip-.*\.mp4\n[0-9a-f-]{36} done\n/,
  'AbortSignal.timeout': /^TimeoutError\n$/,
  'batches.run': /^(done http.*\n){2}$/,
  UploadHandle: /^paused\n(\d+\n)+100\nuploaded http.*\n$/,
  'width: 3 }': /^400 invalid_params params\.width [0-9a-f-]{36}\n$/,
  signWebhook: /^job\.done\n$/,
}

test('each TypeScript example compiles with the declarations of the package', async () => {
  copyTypes(dirname(built('node.js')))
  const blocks = readBlocks('ts')
  const names = blocks.map((_, index) => `example${index}.ts`)
  for (const [index, block] of blocks.entries()) await writeFile(join(folder, `example${index}.ts`), block)
  const compilerOptions = {
    target: 'ES2024',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2024'],
    types: ['node'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    paths: { '@media-credits/client': [join(dirname(built('node.js')), 'types/node/index.d.ts')] },
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: names }))
  const { stdout } = await runCommand(
    process.execPath,
    [installedProgram('tsc'), '--checkers', '1', '--project', folder],
    {
      cwd: folder,
      env,
    },
  )
  expect(stdout).toBe('')
})

test('each TypeScript example runs and prints what it says', async () => {
  const blocks = readBlocks('ts')
  expect(blocks).toHaveLength(Object.keys(PRINTED).length)
  for (const [part, printed] of Object.entries(PRINTED)) {
    const block = blocks.find((each) => each.includes(part)) ?? ''
    const program = block.replaceAll("'@media-credits/client'", `'${built('node.js')}'`)
    await writeFile(join(folder, 'run.ts'), program)
    const { code, stdout, stderr } = await runCommand(process.execPath, ['run.ts'], { cwd: folder, env })
    expect([code, stderr], program).toEqual([0, ''])
    expect(stdout).toMatch(printed)
  }
  expect((await stat(join(folder, 'out.jpg'))).size).toBeGreaterThan(0)
})

test('the examples of the command line run', async () => {
  const [script = ''] = readBlocks('sh')
  const { code, stderr } = await runCommand('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env })
  expect(code, stderr).toBe(0)
  expect(await sharp(join(folder, 'photo.webp')).metadata()).toMatchObject({ format: 'webp', width: 64 })
  expect(await sharp(join(folder, 'out/photo.jpg')).metadata()).toMatchObject({ width: 800 })
})
