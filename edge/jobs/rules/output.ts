import { errorCodeOf, failureTexts, type KnownFailure } from '../../../shared/failures/failures.ts'
import { type Outcome, RESULT_FILENAME_LENGTH_MAX } from '../../../shared/protocol/job-report.ts'
import { isObjectKey, keyInBucket } from '../../storage-connections/rules/object-keys.ts'

/** Export destination of a job. Contract: Storage connections, Export. */
export interface JobOutput {
  /** Name of a storage connection. */
  storage: string
  /** Key of the object. Names in braces are replaced. */
  key: string
}

export const DEFAULT_OUTPUT_KEY = '{job_id}/{filename}'

const VARIABLES = ['job_id', 'filename', 'operation_key'] as const
const VARIABLE = new RegExp(`\\{(${VARIABLES.join('|')})\\}`, 'g')
type Values = Record<(typeof VARIABLES)[number], string>

/** Checks that a template has only known variables, and that any values make it a valid key. */
export function isOutputKey(template: string): boolean {
  const names = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name)
  const isKnown = names.every((name) => VARIABLES.some((variable) => variable === name))
  return isKnown && isObjectKey(fillIn(template, { job_id: 'j', filename: 'f', operation_key: 'o' }))
}

/** The longest values: the id of a job is a UUID, and a UTF-16 code unit has up to three bytes in UTF-8. */
const LONGEST = { job_id: '-'.repeat(36), filename: '\uFFFD'.repeat(RESULT_FILENAME_LENGTH_MAX) }

/** Checks that the key of every result fits into the folder of a connection, however long its file name is. */
export function fitsFolder(template: string, operation_key: string, prefix: string): boolean {
  return isObjectKey(keyInBucket(prefix, outputKeyFor(template, { ...LONGEST, operation_key }, 2)))
}

/** Checks that the files of a batch have different keys. */
export function isDistinctPerFile(template: string): boolean {
  return template.includes('{job_id}') || template.includes('{filename}')
}

/**
 * Returns the key of a result file. If there are several files and the template has no file name, the template is the
 * folder of all of them.
 */
export function outputKeyFor(template: string, values: Values, file_count: number): string {
  const isFolder = file_count > 1 && !template.includes('{filename}')
  return fillIn(isFolder ? `${template}/{filename}` : template, values)
}

function fillIn(template: string, values: Values): string {
  return template.replace(VARIABLE, (_whole, name: keyof Values) => values[name])
}

/**
 * Returns the outcome of a job that exports. Its export is missing if the fleet is too old to know exports; the job
 * then fails, because it must not be charged for half of its work.
 */
export function requireExport(output: JobOutput | null, outcome: Outcome): Outcome {
  if (output === null || outcome.status === 'failed') return outcome
  if (outcome.files.every(({ exported_to }) => exported_to !== undefined)) return outcome
  const reason: KnownFailure = { name: 'export_missing', facts: { storage: output.storage } }
  const { processing_seconds } = outcome
  const error_code = errorCodeOf(reason.name)
  return { status: 'failed', processing_seconds, error: failureTexts(reason).en, error_code, reason }
}
