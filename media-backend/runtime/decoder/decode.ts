import { fileURLToPath } from 'node:url'
import type { Run } from '../run.ts'
import { createDecoderPool, type DecoderPool } from './pool.ts'
import type { TaskInputs, TaskName, TaskOutput } from './tasks.ts'

const PROGRAM = fileURLToPath(new URL('../../decoder/entry.ts', import.meta.url))

/** The tasks as functions, in a process that decodes. */
export type Tasks = {
  [Name in TaskName]: (input: TaskInputs[Name], run: Run) => Promise<TaskOutput<Name>>
}

let pool: Pick<DecoderPool, 'decode' | 'end'> = createDecoderPool(PROGRAM)

/**
 * Reads or draws images in a process of the sandbox, because a defect in a decoder may run code of the file's author.
 * @throws JobFailure if the image is at fault, also if it ends the process.
 */
export function decode<Name extends TaskName>(
  name: Name,
  input: TaskInputs[Name],
  run: Run,
): Promise<TaskOutput<Name>> {
  return pool.decode(name, input, run)
}

/** Ends the processes that wait for a task. */
export function endDecoders(): Promise<void> {
  return pool.end()
}

/** Decodes in this process from now on: it is a decoder itself. */
export function decodeHere(tasks: Tasks): void {
  pool = { decode: (name, input, run) => tasks[name](input, run), end: async () => {} }
}
