import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeOf } from '../dev/client-generator/operations.ts'
import { writeClient } from '../dev/generate-client.ts'
import { installedProgram, ROOT } from '../dev/system/root.ts'
import { OPERATIONS } from '../shared/operations/index.ts'
import type { Operation } from '../shared/planning/operation.ts'

const execute = promisify(execFile)
let folder: string

beforeAll(async () => {
  await writeClient()
  const parent = join(ROOT, '.data/tests')
  await mkdir(parent, { recursive: true })
  folder = await mkdtemp(join(parent, 'client-types-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns the output of the type check of a program that uses the client. */
async function check(program: string): Promise<string> {
  await writeFile(join(folder, 'program.ts'), program)
  const compilerOptions = {
    target: 'ES2024',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2024', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  }
  const config = join(folder, 'tsconfig.json')
  await writeFile(config, JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const args = [installedProgram('tsc'), '--checkers', '1', '--project', config]
  return execute(process.execPath, args).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  )
}

const START = `import { Media } from '${join(ROOT, 'client/src/index.ts')}'\nconst media = new Media()\n`

/** Returns valid params of an operation as TypeScript. */
function paramsOf({ key, presets }: Operation): Record<string, unknown> {
  const tracks = key === 'add_audio' ? { tracks: [{ url: 'https://example.org/s.mp3' }] } : {}
  return { ...tracks, ...presets[0]?.params }
}

test('a misspelled parameter does not compile for any operation', async () => {
  const lines = OPERATIONS.flatMap((operation) => {
    const { group, method } = placeOf(operation)
    const { service, key } = operation
    const params = paramsOf(operation)
    const misspelled = { ...params, misspelled_parameter: 1 }
    const input = group === 'links' ? 'url' : 'file'
    const submit = (sent: object) =>
      `media.jobs.submit({ service: '${service}', operation: '${key}', ${input}: 'https://example.org/f', params: ${JSON.stringify(sent)} })`
    const run = (sent: object) => `media.${group}.${method}('https://example.org/f', ${JSON.stringify(sent)})`
    return [
      run(params),
      submit(params),
      '// @ts-expect-error',
      run(misspelled),
      '// @ts-expect-error',
      submit(misspelled),
    ]
  })
  expect(await check(START + lines.join('\n'))).toBe('')
})

test('what is not in the document does not compile', async () => {
  const lines = [
    "media.image.resize('a.jpg', { width: '800' })",
    "media.image.resize('a.jpg', { resize_mode: 'stretch' })",
    "media.video.addAudio('a.mp4')",
    "media.links.info('https://example.org/v', { include: ['everything'] })",
    "media.jobs.submit({ service: 'image', operation: 'trim', file: 'a.jpg' })",
    "media.jobs.submit({ service: 'video', operation: 'link_info', file: 'a.jpg' })",
    'media.jobs.get(7)',
    "media.jobs.list({ state: 'failed' })",
    "media.jobs.list({ status: 'lost' })",
    'media.billing.subscribe({})',
    "media.uploads.presign({ filename: 'a' })",
    "media.jobs.get('1').then((job) => job.price)",
    "media.batches.run(['a.jpg'], { service: 'image', operation: 'resize', params: { widht: 800 } })",
    "media.batches.run(['a.jpg'], { service: 'video', operation: 'link_info', params: {} })",
  ]
  expect(await check(START + lines.flatMap((line) => ['// @ts-expect-error', line]).join('\n'))).toBe('')
})

test('what is in the document compiles', async () => {
  const lines = [
    "const result = await media.image.resize('a.jpg', { width: 800 }, { onProgress: ({ fraction }) => fraction })",
    'const width: number | undefined = result.body.width',
    "await result.save('out.jpg')",
    "const batch = await media.batches.run(['a.jpg'], { service: 'image', operation: 'resize', params: { width: 800 } })",
    'batch.jobs.length',
    "await media.video.trim(new Blob([]), { start: 1, operations: [{ operation_key: 'mute' }] })",
    'for await (const job of media.jobs.list({ limit: 5 })) job.status satisfies string',
    "for await (const event of media.jobs.events('1')) if (event.type === 'progress') event.progress.toFixed()",
    'const [first] = await media.jobs.list()',
    'const { balance }: { balance: number } = await media.me.ping()',
    "const event = await media.webhooks.verify('{}', new Headers(), ['whsec_x'])",
    "if (event.type === 'job.done') event.data.result?.url",
    'export { width, first, balance }',
  ]
  expect(await check(START + lines.join('\n'))).toBe('')
})

test('the body of a result has the fields of its operation', async () => {
  const lines = [
    "const info = await media.links.info('https://example.org/v')",
    'info.body.info',
    "const clip = await media.video.trim('a.mp4')",
    "clip.body.encode_mode === 'remux'",
    '// @ts-expect-error',
    'clip.body.subtitles',
    'export {}',
  ]
  expect(await check(START + lines.join('\n'))).toBe('')
})
