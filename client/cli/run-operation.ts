import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { JobError, type MediaResult, type Progress, type Submission } from '../node/index.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import { describeError, EXIT, type ExitCode, endsEverything, exitCodeOf, explainError } from './exit-codes.ts'
import { type CommandInput, expandInputs } from './inputs.ts'
import { readParams } from './operation-commands.ts'
import { type OutputPlan, outputPath, planOutputs, requestedExtension } from './outputs.ts'
import { openSession, type Session } from './session.ts'
import { formatSize } from './terminal.ts'

interface RunCommandOptions {
  output?: string
  force?: boolean
  concurrency: number
  webhook?: string
}

interface Task {
  entry: CatalogEntry
  params: Record<string, unknown>
  webhook: string | undefined
  input: CommandInput
  plan: OutputPlan
}

/** Runs an operation on all inputs, several at a time, and sets the exit code. */
export async function runOperation(command: Command, entry: CatalogEntry, names: string[]): Promise<void> {
  const options = command.opts<RunCommandOptions>()
  const session = await openSession(command)
  const inputs = await expandInputs(names, entry.service)
  const params = readParams(command, entry)
  const plans = await planOutputs(inputs, {
    output: options.output,
    printsText: entry.group === 'links' && options.output === undefined,
    force: options.force === true,
    command: entry.command,
    extension: requestedExtension(params),
  })
  const uploaded = await uploadAssets(session, params)
  const tasks = inputs.map((input, index): Task => {
    const plan = plans[index] ?? { kind: 'stdout' }
    return { entry, params: uploaded, webhook: options.webhook, input, plan }
  })
  const codes = await runTasks(session, tasks, options.concurrency)
  session.screen.close()
  if (tasks.length > 1 && !session.isJson) session.note(summarize(codes))
  process.exitCode = worstOf(codes)
}

async function runTasks(session: Session, tasks: readonly Task[], concurrency: number): Promise<ExitCode[]> {
  const codes: ExitCode[] = []
  let next = 0
  const work = async () => {
    while (next < tasks.length && !codes.some(endsEverything)) {
      const task = tasks[next++]
      if (task !== undefined) codes.push(await runTask(session, task))
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, tasks.length) }, work))
  return codes
}

async function runTask(session: Session, task: Task): Promise<ExitCode> {
  const { media, screen, signal } = session
  const { input, entry, params, webhook } = task
  const key = input.name
  const show = ({ phase, fraction }: Progress) => screen.set(key, { name: key, state: phase, fraction })
  try {
    const source = entry.group === 'links' ? { url: input.name } : { file: openFile(input) }
    const submission = { service: entry.service, operation: entry.key, ...source, params } as Submission
    const result = await media.run(submission, {
      signal,
      onProgress: show,
      ...(input.kind === 'stdin' && { filename: 'stdin' }),
      ...(webhook !== undefined && { webhookUrl: webhook }),
    })
    screen.set(key, { name: key, state: 'saving', fraction: 1 })
    const outputs = await saveResult(session, result, task)
    screen.remove(key)
    report(session, task, result, outputs)
    return EXIT.ok
  } catch (error) {
    screen.remove(key)
    if (signal.aborted) return EXIT.interrupted
    const job = error instanceof JobError ? { job_id: error.job.id } : {}
    if (session.isJson)
      session.print({ input: key, status: 'failed', ...job, error: describeError(error) }, '')
    session.screen.line(`✗ ${key}: ${explainError(error)}`)
    return exitCodeOf(error)
  }
}

function openFile({ kind, name }: CommandInput): Extract<Submission, { file: unknown }>['file'] {
  return kind === 'stdin' ? process.stdin : name
}

/** @returns the paths of the saved files; none if the result was printed */
async function saveResult(session: Session, result: MediaResult, { plan }: Task): Promise<string[]> {
  const { signal, isJson } = session
  if (plan.kind === 'stdout' || (plan.kind === 'folder' && plan.prints_text && isText(result))) {
    // With --json, text reported in `body` is not repeated on standard output.
    const isReported = isJson && plan.kind === 'folder'
    if (!isReported) await pipeline(await result.stream({ signal }), process.stdout, { end: false, signal })
    return []
  }
  const paths: string[] = []
  for (const [index, file] of result.files.entries()) {
    const path = outputPath(plan, file.filename, index)
    await file.save(path, { signal })
    paths.push(path)
  }
  return paths
}

function isText({ content_type }: MediaResult): boolean {
  return /^(text\/|application\/json)/.test(content_type)
}

function report(session: Session, task: Task, result: MediaResult, outputs: readonly string[]): void {
  const { job, body, size_bytes } = result
  const [output] = outputs
  const record = {
    input: task.input.name,
    status: job.status,
    job_id: job.id,
    output: output ?? null,
    outputs,
    size_bytes,
    credits: job.final_cost,
    body,
  }
  if (output === undefined) {
    if (session.isJson && task.plan.kind !== 'stdout') session.print(record, '')
    return
  }
  const cost = job.final_cost === 1 ? '1 credit' : `${job.final_cost ?? 0} credits`
  session.print(record, `✓ ${task.input.name} → ${outputs.join(', ')}  ${formatSize(size_bytes)}, ${cost}`)
}

/** Uploads the local files that parameters reference, such as a logo, and returns the parameters with their URLs. */
async function uploadAssets(
  session: Session,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const entries = Object.entries(params).map(async ([name, value]): Promise<[string, unknown]> => {
    if (name.endsWith('_url')) return [name, await uploadIfLocal(session, value)]
    if (!Array.isArray(value)) return [name, value]
    return [name, await Promise.all(value.map((each) => uploadTrack(session, each)))]
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function uploadTrack(session: Session, value: unknown): Promise<unknown> {
  if (typeof value !== 'object' || value === null || !('url' in value)) return value
  return { ...value, url: await uploadIfLocal(session, value.url) }
}

async function uploadIfLocal({ media, signal }: Session, value: unknown): Promise<unknown> {
  if (typeof value !== 'string' || /^https?:/i.test(value)) return value
  const isFile = await stat(value).then(
    (found) => found.isFile(),
    () => false,
  )
  return isFile ? (await media.uploads.file(value, { signal })).url : value
}

/** Returns the most important code, in this order: interruption, credentials, credits, network, usage, failed jobs. */
export function worstOf(codes: readonly ExitCode[]): ExitCode {
  const order = [EXIT.interrupted, EXIT.credentials, EXIT.credits, EXIT.network, EXIT.usage, EXIT.job_failed]
  return order.find((code) => codes.includes(code)) ?? EXIT.ok
}

function summarize(codes: readonly ExitCode[]): string {
  const done = codes.filter((code) => code === EXIT.ok).length
  return `${done} of ${codes.length} done`
}
