import { mkdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { contentTypeOf } from '../shared/planning/formats.ts'
import type { Client, Job } from './client.ts'
import { enterAccount } from './demo/account.ts'
import { runAllOperations } from './demo/all.ts'
import { makeClip } from './demo/clip.ts'
import { connect } from './demo/connect.ts'
import { clearLine, describeSize, drawBar, printTable, writeLine } from './demo/terminal.ts'
import { DATA_DIRECTORY } from './system/root.ts'

/**
 * `npm run demo [-- file]`: uploads a file, runs a few jobs on it through the API, and saves the results.
 * `npm run demo -- --all`: runs every operation on sample files and generates a contact sheet.
 */
const RESULTS = join(DATA_DIRECTORY, 'demo')
const JOB_MS_MAX = 30 * 60 * 1000

interface Task {
  service_slug: 'video' | 'image'
  operation_key: string
  params: Record<string, unknown>
  /** Uses the previous task's result as its input instead of the uploaded file. */
  usesPreviousResult?: true
}

const TASKS: Record<'video' | 'image', Task[]> = {
  video: [
    { service_slug: 'video', operation_key: 'compress', params: { level: 'medium' } },
    { service_slug: 'video', operation_key: 'thumbnail', params: { at: 1, format: 'png' } },
    { service_slug: 'image', operation_key: 'convert', params: { format: 'webp' }, usesPreviousResult: true },
  ],
  image: [
    { service_slug: 'image', operation_key: 'resize', params: { width: 640 } },
    { service_slug: 'image', operation_key: 'convert', params: { format: 'webp' } },
  ],
}

try {
  const argument = process.argv[2]
  if (argument === '--all') process.exitCode = (await runAllOperations(RESULTS)) ? 0 : 1
  else await runDemo(argument)
} catch (error) {
  clearLine()
  console.error(describeError(error))
  process.exitCode = 1
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const reason = error.cause instanceof Error ? error.cause.message : null
  if (error.message === 'fetch failed')
    return `The system stopped responding: ${reason ?? 'unknown reason'}. Check the terminal of \`npm start\`.`
  return error.message
}

async function runDemo(path: string | undefined): Promise<void> {
  const { client, local } = await connect()
  mkdirSync(RESULTS, { recursive: true })
  const file = path ?? (await makeClip(join(RESULTS, 'input')))
  const content_type = contentTypeOf(file)
  const kind = content_type.split('/')[0]
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Error(`File not found: ${file}.`)
  if (kind !== 'video' && kind !== 'image')
    throw new Error(`${file} does not have the extension of a video or an image.`)

  const isNew = await enterAccount(client, join(DATA_DIRECTORY, 'demo-account.json'), local.admin)
  console.log(
    `${isNew ? 'Created an account' : 'Signed in to the account of the last demo'}. It has ${await client.balance()} credits.`,
  )
  const url = await client.upload(file, content_type, (sent, total) =>
    drawBar(`Uploading ${basename(file)}`, sent / total),
  )
  clearLine()
  console.log(`Uploaded ${file} (${describeSize(statSync(file).size)}) directly to storage.`)

  const rows = await runTasks(client, TASKS[kind], { url, size_bytes: statSync(file).size })
  printTable(['operation', 'input', 'result', 'queued', 'processing', 'credits'], rows)
  console.log(
    `\nThe account has ${await client.balance()} credits left. The results are in ${relative(process.cwd(), RESULTS) || '.'}.`,
  )
}

/**
 * Runs the tasks one at a time.
 * @returns a table row for each job
 */
async function runTasks(
  client: Client,
  tasks: Task[],
  upload: { url: string; size_bytes: number },
): Promise<string[][]> {
  const rows: string[][] = []
  let previous = upload
  for (const { usesPreviousResult, ...task } of tasks) {
    const input = usesPreviousResult ? previous : upload
    const name = `${task.service_slug}/${task.operation_key}`
    const { id } = await client.submit({ ...task, params: { ...task.params, file_url: input.url } })
    const job = await client.waitForJob(id, JOB_MS_MAX, ({ status, progress }) =>
      drawBar(`${name} ${status}`, progress / 100),
    )
    clearLine()
    if (job.status !== 'done' || !job.result)
      throw new Error(`${name} ${job.status}: ${job.error ?? 'unknown reason'}`)
    previous = job.result
    await save(client, job.result.url, `${task.service_slug}-${task.operation_key}-${job.result.filename}`)
    rows.push([
      name,
      describeSize(input.size_bytes),
      describeSize(job.result.size_bytes),
      ...describeTimes(job),
    ])
  }
  return rows
}

async function save(client: Client, url: string, filename: string): Promise<void> {
  const response = await client.download(url)
  if (response.body === null) throw new Error(`The download of ${filename} has no body.`)
  const file = join(RESULTS, basename(filename))
  await writeFile(file, response.body)
  writeLine(`Saved ${relative(process.cwd(), file)}`)
}

function describeTimes(job: Job): string[] {
  const queued_ms = Date.parse(job.started_at ?? job.created_at) - Date.parse(job.created_at)
  const seconds = (value: number) => `${value.toFixed(2)} s`
  return [seconds(queued_ms / 1000), seconds(job.processing_seconds ?? 0), String(job.final_cost ?? '')]
}
