import { and, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { Clock } from '../deps.ts'
import { type Archived, readById } from '../platform/database/archive.ts'
import { readArchivedPage } from '../platform/database/archived-list.ts'
import type { Database } from '../platform/database/client.ts'
import { jsonText } from '../platform/database/json-text.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { Page, Span } from '../platform/rules/paging.ts'
import { jobs } from '../tables.ts'
import { filterJobs, type JobFilter } from './filter-queries.ts'
import type { StoredJob } from './queries.ts'

/** A job without its dispatch, which only the fleet reads and which repeats the params. */
export type ShownJob = Omit<StoredJob, 'dispatch'>

/** `filename` is the file name shown to users. */
export type ListedJob = ShownJob & { filename: string }

const { dispatch: _dispatch, ...SHOWN } = getTableColumns(jobs)
/** Whether a job has or had headers, without their values. */
const HAD_HEADERS = sql<string | null>`iif(${jobs.sealedHeaders} IS NULL, NULL, '')`

/**
 * A database response is limited to 10 MB. A row is included only if the rows before it total less than this size,
 * which leaves enough room for any single row.
 */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024
/** Maximum number of responses held in the memory of a Worker at the same time. */
const ANSWERS_MAX = 8
/** Estimated size of a row without its params, metadata and result. */
const OTHERS_BYTES = 1024

const TRIMMED_RESULT = sql`json_set(${jobs.result}, '$.body', json('{}'), '$.body_omitted', json('true'))`
/** The result of a job, either whole or without its body. */
const RESULTS = { whole: sql`${jobs.result}`, trimmed: TRIMMED_RESULT }
type Form = keyof typeof RESULTS
const WHOLE: readonly Form[] = Array<Form>(ANSWERS_MAX - 1).fill('whole')
const TRIMMED: readonly Form[] = Array<Form>(ANSWERS_MAX).fill('trimmed')

const bytesOf = (form: Form) => sql<number>`
  octet_length(${jobs.params}) + octet_length(${jobs.metadata}) + coalesce(octet_length(${RESULTS[form]}), 0) + ${OTHERS_BYTES}`

/** Selects the files of batches, newest batch first. Read the response with readBatchJobs. */
export function batchJobsQuery(db: Database, ids: string[]) {
  return listQuery(db, inArray(jobs.batchId, ids))
}

/** Selects jobs in list order. `job` is null in rows that do not fit in the response. */
function listQuery(db: Database, where: SQL, form: Form = 'whole') {
  const order = sql`${jobs.createdAt} DESC, ${jobs.id} DESC`
  const bytes = bytesOf(form)
  const measured = db
    .select({
      id: jobs.id,
      createdAt: jobs.createdAt,
      batchId: jobs.batchId,
      before: sql<number>`sum(${bytes}) OVER (ORDER BY ${order}) - ${bytes}`.as('bytes_before'),
    })
    .from(jobs)
    .where(where)
    .as('measured')
  return db
    .select({
      id: measured.id,
      createdAt: measured.createdAt,
      batchId: measured.batchId,
      filename: jsonText(jobs.dispatch, 'filename'),
      job: { ...SHOWN, sealedHeaders: HAD_HEADERS, result: RESULTS[form].mapWith(jobs.result) },
    })
    .from(measured)
    .leftJoin(jobs, and(eq(jobs.id, measured.id), sql`${measured.before} < ${ANSWER_BYTES_MAX}`))
    .orderBy(desc(measured.createdAt), desc(measured.id))
}

type Answer = Awaited<ReturnType<typeof listQuery>>

/**
 * Reads all jobs in a list, including those that did not fit in the first response.
 * @param forms whether each further response has whole or trimmed results; also limits the number of responses.
 * @throws ApiError list_too_long if the list does not fit in memory.
 */
export async function readJobs(
  databases: Archived,
  answer: Answer,
  [form, ...later]: readonly Form[] = WHOLE,
): Promise<ListedJob[]> {
  const read = answer.flatMap(({ job, filename }) => (job === null ? [] : { ...job, filename }))
  const left = answer.filter(({ job }) => job === null).map(({ id }) => id)
  if (left.length === 0) return read
  if (form === undefined) throw new ApiError('list_too_long')
  const next = await readById(databases, left, (db, ids) => listQuery(db, inArray(jobs.id, ids), form))
  return [...read, ...(await readJobs(databases, next, later))]
}

/** Selects jobs by a query of their ids, newest first. Read the response with readJobs. */
export function jobsQuery(db: Database, ids: SQL) {
  return listQuery(db, sql`${jobs.id} IN (${ids})`)
}

export const placeOfJob = ({ id, createdAt }: Pick<ListedJob, 'id' | 'createdAt'>) => ({ at: createdAt, id })

/** Reads a page of the jobs that match a filter, newest first. Throws like readJobs. */
export async function readJobsPage(
  databases: Archived & { clock: Clock },
  filter: JobFilter,
  span: Span,
): Promise<Page<ListedJob>> {
  const { rows, next } = await readArchivedPage(databases, filterJobs(filter), span, {
    select: jobsQuery,
    placeOf: (row) => placeOfJob(row),
  })
  // Rows that did not fit in the first response follow the others.
  return { rows: (await readJobs(databases, rows)).toSorted(newestFirst), next }
}

function newestFirst(one: ListedJob, other: ListedJob): number {
  return other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1)
}

/** Reads the files of batches. If the combined results are too large, the last ones have no body. */
export function readBatchJobs(databases: Archived, answer: Answer): Promise<ListedJob[]> {
  return readJobs(databases, answer, [...WHOLE, ...TRIMMED])
}

/** Reads the files of a batch for one message. After the first response, no result has a body. */
export function readShortJobs(databases: Archived, answer: Answer): Promise<ListedJob[]> {
  return readJobs(databases, answer, TRIMMED)
}
