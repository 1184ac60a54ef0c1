import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { endKeptExiftool, runKeptExiftool } from './kept-exiftool.ts'
import { readIsolation } from './sandbox.ts'

const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#08f' } })
  .png()
  .toBuffer()
const root = await mkdtemp(join(tmpdir(), 'fleet-kept-'))
const { landlock } = readIsolation()

/** Runs commands in a new folder that contains an image named `source`. */
async function runInFolder(commands: readonly (readonly string[])[], signal = new AbortController().signal) {
  const folder = await mkdtemp(join(root, 'job-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'source'), png)
  return runKeptExiftool(commands, { folder, root, signal })
}

/** exiftool evaluates a Perl expression for each file, as code does that a file has planted in it. */
const evaluate = (expression: string) => ['-q', '-p', `\${filename;$_=${expression}}`, 'source']
const run = (expression: string) => runInFolder([evaluate(expression)])

test('runs each request in a new child of one process', async () => {
  const [child, parent] = ((await run('"$$ ".getppid')) ?? '').split(/\s/)
  const [other_child, same_parent] = ((await run('"$$ ".getppid')) ?? '').split(/\s/)
  expect(parent).toMatch(/^\d+$/)
  expect(same_parent).toBe(parent)
  expect(other_child).not.toBe(child)
})

test('nothing of a request is left for the next one', async () => {
  expect(await run('$main::planted=7')).toBe('7\n')
  expect(await run('defined $main::planted ? 1 : 2')).toBe('2\n')
})

test.runIf(landlock > 0)('a child reaches only the folder of its job, and no later requests', async () => {
  await mkdir(join(root, 'job-other'), { recursive: true })
  await writeFile(join(root, 'job-other', 'secret'), 'secret')
  expect(await run('open(my $f,"<","../job-other/secret") ? 1 : 2')).toBe('2\n')
  expect(await run('open(my $f,">","../planted") ? 1 : 2')).toBe('2\n')
  expect(await run('open(my $f,"<","/proc/".getppid."/environ") ? 1 : 2')).toBe('2\n')
  expect(await run('open(my $f,">","inside") ? 1 : 2')).toBe('1\n')
  expect(await run('readline(STDIN) ? 1 : 2')).toBe('2\n')
})

test('a child that leaves a process behind ends its parent', async () => {
  const [parent] = ((await run('getppid')) ?? '').split('\n')
  await run('do { fork or sleep 60; 1 }')
  const next = await run('getppid')
  expect(next).toMatch(/^\d+\n$/)
  expect(next).not.toBe(`${parent}\n`)
})

test('runs concurrent requests in separate processes', async () => {
  const [one, other] = await Promise.all([run('getppid'), run('getppid')])
  expect(one).not.toBe(other)
})

test('returns the output of all commands in order, without the options of the previous one', async () => {
  const output = await runInFolder([
    ['-q', '-q', '-s3', '-ImageWidth', 'source'],
    ['-q', '-ImageHeight', 'source'],
  ])
  expect(output).toBe('8\nImage Height                    : 8\n')
})

test('keeps line separators of Unicode in the output', async () => {
  const text = 'one\u2028two\u2029three\u0085four'
  const listed = await runInFolder([
    ['-q', '-overwrite_original', `-XMP-dc:Title=${text}`, 'source'],
    ['-q', '-j', '-XMP-dc:Title', 'source'],
  ])
  expect(JSON.parse(listed ?? '')).toMatchObject([{ Title: text }])
})

test('ends waiting processes', async () => {
  const running = Number(await run('getppid'))
  await endKeptExiftool()
  expect(() => process.kill(running, 0)).toThrow('ESRCH')
})

test.each([
  ['fails', ['-q', '-j', 'missing']],
  ['crashes its process', evaluate('kill("SEGV",$$)')],
  ['needs too much memory', evaluate('length("a" x 4e9)')],
])('returns null for a command that %s, and runs the next one', async (_, command) => {
  expect(await runInFolder([command])).toBeNull()
  expect(await run('$$')).toMatch(/^\d+\n$/)
})

test('refuses the content if a command prints too much, and runs the next one', async () => {
  const reason = { name: 'content_too_complex' }
  await expect(run('"a"x 2e6')).rejects.toMatchObject({ reason })
  expect(await run('$$')).toMatch(/^\d+\n$/)
})

test.each(['-Artist=two\nlines', '# a comment', '-Artist= leading space'])(
  'leaves an argument that a line cannot hold to a separate process: %j',
  async (argument) => {
    expect(await runInFolder([[argument, 'source']])).toBeNull()
  },
)

test('throws the reason of the signal if a command is aborted', async () => {
  const controller = new AbortController()
  const running = runInFolder([evaluate('do { sleep(60) }')], controller.signal)
  setImmediate(() => controller.abort(new Error('cancelled')))
  await expect(running).rejects.toThrow('cancelled')
})
