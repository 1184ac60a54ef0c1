import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { followJobs } from '../../client/cli/listen.ts'
import { Media } from '../../client/node/index.ts'
import { openAccount } from '../support/accounts.ts'
import { type RunOptions, runCommand, useBuiltClient } from '../support/built-client.ts'
import { LONG_CLIP, makeClip } from '../support/clips.ts'
import { spendCredits } from '../support/credits.ts'
import { makeTestFolder } from '../support/folder.ts'
import { openKey } from '../support/media.ts'

const system = inject('system')
const { api_url, database_url } = system
const folder = makeTestFolder()
const built = useBuiltClient()
let env: Record<string, string>
let media: Media
/** Folder in which the commands of one test run. */
let cwd: string

beforeAll(async () => {
  const key = await openKey(system)
  env = { MEDIA_API_URL: key.apiUrl, MEDIA_API_KEY: key.apiKey, XDG_CONFIG_HOME: join(folder, 'config') }
  media = new Media(key)
})
beforeEach(async () => {
  cwd = await mkdtemp(join(folder, 'work-'))
})

function run(words: string, options: Partial<RunOptions> = {}) {
  return runCommand(process.execPath, [built('media.js'), ...words.split(' ')], { cwd, env, ...options })
}

async function drawPhoto(name: string): Promise<void> {
  await sharp({ create: { width: 64, height: 48, channels: 3, background: '#abcdef' } }).toFile(
    join(cwd, name),
  )
}

const widthOf = async (name: string) => (await sharp(join(cwd, name)).metadata()).width
const readLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('an operation', () => {
  test('runs on several files and prints one JSON object for each', async () => {
    await drawPhoto('a.jpg')
    await drawPhoto('b.png')
    const { code, stdout } = await run('image resize a.jpg b.png --width 32 -o out/ --json')
    expect(code).toBe(0)
    const lines = readLines(stdout).sort((one, other) => one.input.localeCompare(other.input))
    expect(lines).toMatchObject([
      { input: 'a.jpg', status: 'done', output: 'out/a.jpg', credits: 2, body: { width: 32 } },
      { input: 'b.png', status: 'done', output: 'out/b.png', credits: 2, body: { width: 32 } },
    ])
    expect([await widthOf('out/a.jpg'), await widthOf('out/b.png')]).toEqual([32, 32])
  })

  test('saves the result beside its input, and under a given name', async () => {
    await drawPhoto('a.jpg')
    expect((await run('image resize a.jpg --width 32')).code).toBe(0)
    expect((await run('image resize a.jpg --width 16 -o small.jpg')).code).toBe(0)
    expect([await widthOf('a-resize.jpg'), await widthOf('small.jpg')]).toEqual([32, 16])
  })

  test('reads folders with their subfolders, and patterns', async () => {
    await mkdir(join(cwd, 'in/deep'), { recursive: true })
    await drawPhoto('in/a.jpg')
    await drawPhoto('in/deep/a.jpg')
    await writeFile(join(cwd, 'in/notes.txt'), 'not an image')
    expect((await run('image resize in --width 32 -o out')).code).toBe(0)
    expect((await readdir(join(cwd, 'out'), { recursive: true })).sort()).toEqual([
      'a.jpg',
      'deep',
      'deep/a.jpg',
    ])
    expect((await run('image resize in/*.jpg --width 16 -o single.jpg')).code).toBe(0)
    expect(await widthOf('single.jpg')).toBe(16)
  })

  test('reads standard input and writes to standard output', async () => {
    await drawPhoto('a.jpg')
    const input = await readFile(join(cwd, 'a.jpg'))
    const { code, stdout } = await run('image resize - --width 32 -o -', { input })
    expect(code).toBe(0)
    expect(await sharp(Buffer.from(stdout, 'latin1')).metadata()).toMatchObject({ format: 'jpeg', width: 32 })
  })

  test('overwrites a file only with --force, and charges nothing otherwise', async () => {
    await drawPhoto('a.jpg')
    await writeFile(join(cwd, 'a-resize.jpg'), 'kept')
    const { balance } = await media.me.ping()
    const { code, stderr } = await run('image resize a.jpg --width 32')
    expect([code, stderr.includes('--force')]).toEqual([2, true])
    expect(await readFile(join(cwd, 'a-resize.jpg'), 'utf8')).toBe('kept')
    expect((await media.me.ping()).balance).toBe(balance)
    expect((await run('image resize a.jpg --width 32 --force')).code).toBe(0)
    expect(await widthOf('a-resize.jpg')).toBe(32)
  })

  test('uploads a local file that a parameter names', async () => {
    await drawPhoto('a.jpg')
    await drawPhoto('logo.png')
    const { code } = await run('image watermark a.jpg --logo-url logo.png -o marked.jpg')
    expect([code, (await stat(join(cwd, 'marked.jpg'))).size > 0]).toEqual([0, true])
  })

  test('continues after a job that fails', async () => {
    await drawPhoto('a.jpg')
    await writeFile(join(cwd, 'bad.jpg'), 'no image')
    const { code, stdout } = await run('image resize bad.jpg a.jpg --width 32 -o out --concurrency 1 --json')
    expect(code).toBe(1)
    expect(readLines(stdout)).toMatchObject([
      { input: 'bad.jpg', status: 'failed', error: { code: 'input_unreadable' } },
      { input: 'a.jpg', status: 'done' },
    ])
  })

  test('that is interrupted cancels its job', async () => {
    await makeClip(cwd, LONG_CLIP)
    const findNewest = async () => (await media.jobs.list({ limit: 1 }))[0]
    const before = await findNewest()
    const { code, stderr } = await run('video compress long.mp4 --preset slow', {
      interruptWhen: async () => (await findNewest())?.id !== before?.id,
    })
    expect([code, stderr.includes('Canceling')]).toEqual([130, true])
    expect(await findNewest()).toMatchObject({ operation_key: 'compress', status: 'canceled', final_cost: 0 })
    expect(await readdir(cwd)).toEqual(['long.mp4'])
  })
})

describe('the exit code', () => {
  test.each([
    ['image resize none.jpg --width 32', 2],
    ['image resize a.jpg --width 32 --colour red', 2],
    ['image resize a.jpg --width wide', 2],
    ['image resize a.jpg --width 8', 2],
    ['image resize a.jpg --resize-mode stretch', 2],
    ['image resize', 2],
    ['image rezise a.jpg', 2],
    ['image resize a.jpg a.jpg --width 32 -o out', 2],
    ['image resize a.jpg', 2],
    ['ops nothing', 2],
    ['jobs show none', 2],
    ['whoami --api-key mk_none', 3],
    ['whoami --api-url http://127.0.0.1:1', 5],
    ['whoami', 0],
    ['--help', 0],
    ['image resize --help', 0],
  ])('of `media %s` is %i', async (words, code) => {
    await drawPhoto('a.jpg')
    expect((await run(words)).code).toBe(code)
  })

  test('is 4 without enough credits, and no further job is submitted', async () => {
    await drawPhoto('a.jpg')
    await drawPhoto('b.jpg')
    const { id, client } = await openAccount(api_url)
    await spendCredits(database_url, id, 19)
    const poor = { ...env, MEDIA_API_KEY: client.token ?? '' }
    const { code, stdout } = await run('image resize a.jpg b.jpg --width 32 -o out -c 1 --json', {
      env: poor,
    })
    expect([code, readLines(stdout)]).toMatchObject([
      4,
      [{ error: { code: 'insufficient_credits', status: 402 } }],
    ])
  })
})

describe('an error', () => {
  test.each([
    ['image resize a.jpg --colour red --json', 2, { code: 'usage' }],
    ['image rezise a.jpg --json', 2, { code: 'usage' }],
    ['quote image resize a.jpg --json', 2, { code: 'usage' }],
    ['image resize none.jpg --json', 2, { code: 'usage' }],
    ['image resize a.jpg --width 8 -o /proc/none/ --json', 2, { code: 'usage' }],
    ['whoami --api-key mk_none --json', 3, { status: 401, help: expect.stringContaining('media login') }],
  ])('of `media %s` is one line of JSON', async (words, code, error) => {
    await drawPhoto('a.jpg')
    const ended = await run(words)
    expect([ended.code, readLines(ended.stdout)]).toMatchObject([code, [{ error }]])
  })

  test('has the language of --locale', async () => {
    const english = await run('jobs show none')
    const ukrainian = await run('--locale uk jobs show none')
    expect([english.code, ukrainian.code]).toEqual([2, 2])
    expect(english.stderr).toMatch(/^media: [ -~]+\n/)
    expect(Buffer.from(ukrainian.stderr).toString()).toMatch(/\p{Script=Cyrillic}/u)
  })
})

test('a command that waits for input ends at SIGTERM', async () => {
  const child = spawn(process.execPath, [built('media.js'), 'image', 'convert', '-', '-o', 'out.png'], {
    cwd,
    env: { ...process.env, ...env },
  })
  // More than a pipe holds, so the program has begun to read it.
  if (!child.stdin.write(Buffer.alloc(1_000_000))) await once(child.stdin, 'drain')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([130, null])
})

describe('a login', () => {
  test('stores a key in a file for the user alone, which MEDIA_API_KEY overrides', async () => {
    const own = { XDG_CONFIG_HOME: join(cwd, 'config') }
    const { code } = await run(`login --api-url ${api_url}`, { env: own, input: `${env.MEDIA_API_KEY}\n` })
    expect(code).toBe(0)
    expect((await stat(join(cwd, 'config/media/config.json'))).mode & 0o777).toBe(0o600)
    expect(readLines((await run('whoami --json', { env: own })).stdout)).toMatchObject([{ auth: 'key' }])
    expect((await run('whoami', { env: { ...own, MEDIA_API_KEY: 'mk_none' } })).code).toBe(3)
    expect((await run('logout', { env: own })).code).toBe(0)
    expect((await run('whoami', { env: own })).code).toBe(2)
  })

  test('creates a key with an email address and a password', async () => {
    const own = { XDG_CONFIG_HOME: join(cwd, 'config'), MEDIA_API_URL: api_url }
    const { credentials } = await openAccount(api_url)
    const { code } = await run(`login --email ${credentials.email}`, {
      env: own,
      input: credentials.password,
    })
    expect(code).toBe(0)
    const [ping] = readLines((await run('whoami --json', { env: own })).stdout)
    expect(ping).toMatchObject({
      email: credentials.email,
      key: { name: expect.stringMatching(/^media on /) },
    })
  })

  test('with an unknown key stores nothing', async () => {
    const own = { XDG_CONFIG_HOME: join(cwd, 'config') }
    expect((await run(`login --api-url ${api_url}`, { env: own, input: 'mk_none' })).code).toBe(3)
    expect(await readdir(cwd)).toEqual([])
  })
})

test('jobs are listed, shown, followed and canceled', async () => {
  await drawPhoto('a.jpg')
  const { id } = await media.jobs.submit({
    service: 'image',
    operation: 'strip_meta',
    file: join(cwd, 'a.jpg'),
  })
  const watched = await run(`jobs watch ${id} --json`)
  expect([watched.code, readLines(watched.stdout).at(-1)]).toMatchObject([0, { status: 'done', job: { id } }])
  const [listed] = readLines((await run('jobs ls --limit 1 --json')).stdout)
  expect([listed.id, readLines((await run(`jobs show ${id} --json`)).stdout)[0].id]).toEqual([id, id])
  expect((await run('jobs ls --status done')).stdout).toContain('image/strip_meta')
  expect((await run('jobs ls --status lost')).code).toBe(2)
  expect((await run(`jobs cancel ${id}`)).code).toBe(2)
})

test('a price is quoted and the operations are listed', async () => {
  const quoted = await run('quote video compress --level strong --json')
  expect(readLines(quoted.stdout)).toMatchObject([{ base_credits: 2, affordable: true }])
  expect(readLines((await run('ops video/trim --json')).stdout)).toMatchObject([{ key: 'trim' }])
  expect((await run('ops')).stdout).toContain('media links info')
})

test('completions know commands, options and choices', async () => {
  const complete = async (words: string) => (await run(`complete -- ${words}`)).stdout.trim().split('\n')
  expect(await complete('image res')).toEqual(['resize'])
  expect(await complete('image resize --resi')).toEqual(['--resize-mode'])
  expect(await complete('image resize --resize-mode f')).toEqual(['fit', 'fill'])
  expect(await complete('completions ')).toEqual(['bash', 'zsh', 'fish'])
  for (const shell of ['bash', 'zsh', 'fish']) {
    expect((await run(`completions ${shell}`)).stdout).toContain('media complete')
  }
})

test('listen finds every job that ends, however many are newer', async () => {
  const own = new Media(await openKey(system))
  await drawPhoto('a.jpg')
  const { url } = await own.uploads.file(join(cwd, 'a.jpg'))
  const submit = () => own.jobs.submit({ service: 'image', operation: 'strip_meta', file: url })
  await own.jobs.wait((await submit()).id)
  const findEnded = await followJobs({ media: own, signal: new AbortController().signal }, 1)
  const jobs = [await submit(), await submit(), await submit()]
  for (const { id } of jobs) await own.jobs.wait(id)
  expect((await findEnded()).map(({ id }) => id)).toEqual(jobs.map(({ id }) => id))
  expect(await findEnded()).toEqual([])
})

test('listen forwards the end of a job as a signed event', async () => {
  const secret = `whsec_${btoa('s'.repeat(32))}`
  await drawPhoto('a.jpg')
  const received: { body: string; headers: IncomingHttpHeaders }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ body, headers: request.headers })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  let job_id = ''
  const ended = await run(`listen --forward http://127.0.0.1:${port}/hook --secret ${secret} --json`, {
    onStderr: (text) => {
      if (!text.includes('Forwarding') || job_id !== '') return
      job_id = 'submitting'
      const file = join(cwd, 'a.jpg')
      void media.jobs.submit({ service: 'image', operation: 'strip_meta', file }).then(({ id }) => {
        job_id = id
      })
    },
    interruptWhen: () => Promise.resolve(received.length > 0),
  })
  expect([ended.code, readLines(ended.stdout)]).toEqual([130, [{ type: 'job.done', job_id, outcome: 204 }]])
  const [{ body, headers } = { body: '', headers: {} }] = received
  expect(await media.webhooks.verify(body, headers, secret)).toMatchObject({
    type: 'job.done',
    data: { id: job_id },
  })
})
