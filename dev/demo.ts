import { mkdirSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { type Job, type Media, MediaError, type Submission } from '../client/node/index.ts'
import { contentTypeOf } from '../shared/planning/formats.ts'
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
  if (error instanceof MediaError && error.code === 'network_error')
    return `The system stopped responding: ${error.message}. Check the terminal of \`npm start\`.`
  return error.message
}

async function runDemo(path: string | undefined): Promise<void> {
  const local = await connect()
  mkdirSync(RESULTS, { recursive: true })
  const file = path ?? (await makeClip(join(RESULTS, 'input')))
  const content_type = contentTypeOf(file)
  const kind = content_type.split('/')[0]
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Error(`File not found: ${file}.`)
  if (kind !== 'video' && kind !== 'image')
    throw new Error(`${file} does not have the extension of a video or an image.`)

  const { media, isNew } = await enterAccount(join(DATA_DIRECTORY, 'demo-account.json'), local)
  const readBalance = async () => (await media.billing.getBalance()).balance
  console.log(
    `${isNew ? 'Created an account' : 'Signed in to the account of the last demo'}. It has ${await readBalance()} credits.`,
  )
  const { url } = await media.uploads.file(file, {
    contentType: content_type,
    onProgress: ({ fraction }) => drawBar(`Uploading ${basename(file)}`, fraction),
  })
  clearLine()
  console.log(`Uploaded ${file} (${describeSize(statSync(file).size)}) directly to storage.`)

  const rows = await runTasks(media, TASKS[kind], { url, size_bytes: statSync(file).size })
  printTable(['operation', 'input', 'result', 'queued', 'processing', 'credits'], rows)
  console.log(
    `\nThe account has ${await readBalance()} credits left. The results are in ${relative(process.cwd(), RESULTS) || '.'}.`,
  )
}

/**
 * Runs the tasks one at a time.
 * @returns a table row for each job
 */
async function runTasks(
  media: Media,
  tasks: Task[],
  upload: { url: string; size_bytes: number },
): Promise<string[][]> {
  const rows: string[][] = []
  let previous = upload
  for (const { service_slug: service, operation_key: operation, params, usesPreviousResult } of tasks) {
    const input = usesPreviousResult ? previous : upload
    const name = `${service}/${operation}`
    const submission = { service, operation, file: input.url, params } as Submission
    const result = await media.run(submission, {
      onProgress: ({ phase, fraction }) => drawBar(`${name} ${phase}`, fraction),
    })
    clearLine()
    previous = result
    const file = join(RESULTS, basename(`${service}-${operation}-${result.filename}`))
    await result.save(file)
    writeLine(`Saved ${relative(process.cwd(), file)}`)
    const sizes = [input, result].map(({ size_bytes }) => describeSize(size_bytes))
    rows.push([name, ...sizes, ...describeTimes(result.job)])
  }
  return rows
}

function describeTimes(job: Job): string[] {
  const queued_ms = Date.parse(job.started_at ?? job.created_at) - Date.parse(job.created_at)
  const seconds = (value: number) => `${value.toFixed(2)} s`
  return [seconds(queued_ms / 1000), seconds(job.processing_seconds ?? 0), String(job.final_cost ?? '')]
}
