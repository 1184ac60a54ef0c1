import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Environment } from '../environment.ts'
import { decodeHere } from '../runtime/decoder/decode.ts'
import type { DecoderSettings } from '../runtime/decoder/pool.ts'
import { READY } from '../runtime/decoder/process.ts'
import type { Answer, TaskInputs, TaskName } from '../runtime/decoder/tasks.ts'
import { JobFailure } from '../runtime/failure.ts'
import { errorText } from '../runtime/log.ts'
import { TASKS } from './tasks.ts'

/** Entry point of a decoder process: reads one task a line, and answers each with one line (runtime/decoder). */
interface Request {
  id: string
  name: TaskName
  input: TaskInputs[TaskName]
  settings: DecoderSettings
}

decodeHere(TASKS)
// Standard output is for the log.
const answers = new Socket({ fd: 3 })
answers.write(`${JSON.stringify({ id: READY, done: null })}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await answerTo(JSON.parse(line) as Request)
  answers.write(`${JSON.stringify(answer)}\n`)
}

async function answerTo({ id, name, input, settings }: Request): Promise<Answer> {
  const run = {
    ...{ folder: process.cwd(), signal: new AbortController().signal },
    environment: settings as Environment,
  }
  try {
    return {
      id,
      done: await (TASKS[name] as (task: typeof input, own: typeof run) => Promise<unknown>)(input, run),
    }
  } catch (error) {
    if (error instanceof JobFailure) return { id, failed: error.reason }
    return { id, error: errorText(error) }
  }
}
