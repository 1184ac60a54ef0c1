import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { type JobContext, runInContext } from './job-context.ts'
import { endKeptExiftool, runKeptExiftool as runIn } from './kept-exiftool.ts'

const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#08f' } })
  .png()
  .toBuffer()

const runKeptExiftool = (commands: readonly (readonly string[])[], signal: AbortSignal) =>
  runIn(commands, tmpdir(), signal)

async function makeFile(content = png): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-kept-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'source')
  await writeFile(path, content)
  return path
}

/** exiftool evaluates a Perl expression for each file. */
const evaluate = (expression: string, path: string) => ['-p', `\${filename;$_=${expression}}`, path]
const { signal } = new AbortController()
const pid = async () => runKeptExiftool([evaluate('$$', await makeFile())], signal)

test('runs the commands of several jobs in one process', async () => {
  expect(await pid()).toMatch(/^\d+\n$/)
  expect(await pid()).toBe(await pid())
})

test('starts another process for the jobs of another account', async () => {
  const job: JobContext = {
    ...{ job_id: 'job', fence: 1001, lane: 'image', account_id: 1, operation: 'image/strip_meta' },
    ...{ niceness: 0, trace_id: undefined, span: undefined },
  }
  const one = await runInContext(job, pid)
  const other = await runInContext({ ...job, account_id: 2 }, pid)
  expect(one).not.toBe(other)
  expect(await runInContext({ ...job, job_id: 'later' }, pid)).toBe(one)
})

test('runs concurrent commands in separate processes', async () => {
  const [one, other] = await Promise.all([pid(), pid()])
  expect(one).not.toBe(other)
})

test('returns the output of all commands in order, without the options of the previous one', async () => {
  const path = await makeFile()
  const output = await runKeptExiftool(
    [
      ['-q', '-q', '-s3', '-ImageWidth', path],
      ['-ImageHeight', path],
    ],
    signal,
  )
  expect(output).toBe('8\nImage Height                    : 8\n')
})

test('keeps line separators of Unicode in the output', async () => {
  const path = await makeFile()
  const text = 'one\u2028two\u2029three\u0085four'
  await runKeptExiftool([['-q', '-overwrite_original', `-XMP-dc:Title=${text}`, path]], signal)
  const listed = await runKeptExiftool([['-j', '-XMP-dc:Title', path]], signal)
  expect(JSON.parse(listed ?? '')).toMatchObject([{ Title: text }])
})

test('ends waiting processes', async () => {
  const running = Number(await pid())
  await endKeptExiftool()
  expect(() => process.kill(running, 0)).toThrow('ESRCH')
})

test.each([
  ['fails', (path: string) => ['-j', `${path}.missing`]],
  ['crashes its process', (path: string) => evaluate('kill("SEGV",$$)', path)],
  ['needs too much memory', (path: string) => evaluate('length("a" x 4e9)', path)],
])('returns null for a command that %s, and runs the next one', async (_, command) => {
  expect(await runKeptExiftool([command(await makeFile())], signal)).toBeNull()
  expect(await pid()).toMatch(/^\d+\n$/)
})

test('refuses the content if a command prints too much, and runs the next one', async () => {
  const command = evaluate('"a"x 2e6', await makeFile())
  const reason = { name: 'content_too_complex' }
  await expect(runKeptExiftool([command], signal)).rejects.toMatchObject({ reason })
  expect(await pid()).toMatch(/^\d+\n$/)
})

test.each(['-Artist=two\nlines', '# a comment', '-Artist= leading space'])(
  'leaves an argument that a line cannot hold to a separate process: %j',
  async (argument) => {
    expect(await runKeptExiftool([[argument, await makeFile()]], signal)).toBeNull()
  },
)

test('throws the reason of the signal if a command is aborted', async () => {
  const controller = new AbortController()
  const running = runKeptExiftool(
    [evaluate('do { sleep(60) }', await makeFile())],
    AbortSignal.any([controller.signal]),
  )
  controller.abort(new Error('cancelled'))
  await expect(running).rejects.toThrow('cancelled')
})
