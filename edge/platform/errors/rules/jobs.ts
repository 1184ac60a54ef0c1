import { waitInWords } from '../../http/rules/wait.ts'
import { sizeInWords } from '../../rules/size-in-words.ts'
import { type AtFault, type ErrorEntry, type Misspelled, type Wait, withFacts } from './entry.ts'

const FILE_URL_FAULTS = {
  missing: 'it is missing. Send the URL of a file.',
  not_a_string: 'it is not a string. Send one URL.',
  too_long: 'it is longer than 4096 characters. Send a shorter URL.',
  not_yours: 'it is not the URL of one of your files. Send a URL that an upload or a job of yours returned.',
  not_public: 'it is not a public http or https URL. Send one, or a URL that an upload returned.',
  not_a_public_link: 'it is not a public http or https URL. Send one.',
  upload_expired: 'the upload has expired. Upload the file again.',
  not_uploaded: 'its file has not been uploaded yet. Upload the file first.',
  result_expired: 'the result has expired. Run the job again.',
  put_url:
    'it is the put_url of an upload, to which the file is sent. Send the url that the same response contains.',
  not_here: 'it is not the URL of a file of this service. Send a URL that an upload or a job returned.',
}
/** The reason a file's URL is refused. `sentence` is used when the file itself is refused. */
export type FileUrlFault = keyof typeof FILE_URL_FAULTS | { sentence: string }

const TOO_LARGE = {
  params: (bytes_max: number) => `params are larger than ${sizeInWords(bytes_max)}. Shorten them.`,
  job: () => 'The URLs in params are too long for one job. Use shorter URLs.',
  batch: () => 'The URLs and parameters of the batch are too long in total. Send fewer files at once.',
}

const suggest = (suggestion: string | undefined) => suggestion && `Did you mean ${suggestion}?`

/** Errors for operations, jobs and batches. */
export const JOB_ERRORS = {
  unknown_service: withFacts({
    status: 404,
    detail: ({ service, suggestion }: Misspelled & { service: string }) =>
      `Service ${service} does not exist. ${suggest(suggestion) ?? 'List the services with GET /api/v1/studio/tools.'}`,
    example: { service: 'audio' },
    help: 'Use a service_slug from the tools listing.',
    param: 'service_slug',
  }),
  unknown_operation: withFacts({
    status: 400,
    detail: ({ operation, suggestion }: Misspelled & { operation: string }) =>
      `Unknown operation: ${operation} does not exist. ${suggest(suggestion) ?? 'List the operations with GET /api/v1/studio/tools.'}`,
    example: { operation: 'video/shrink' },
    help: 'Use an operation from the tools listing.',
    param: 'operation_key',
  }),
  operation_disabled: withFacts({
    status: 400,
    detail: ({ operation }: { operation: string }) =>
      `${operation} is switched off on this server. Use another operation.`,
    example: { operation: 'video/subtitles' },
    help: 'Offer only operations that the tools listing shows as enabled.',
    param: 'operation_key',
  }),
  operation_takes_link: withFacts({
    status: 400,
    detail: ({ operation }: { operation: string }) =>
      `${operation} requires a video link in params.url, not a file_url. Submit it as JSON; nothing was charged.`,
    example: { operation: 'video/link_info' },
    help: 'Submit the link with POST /api/v1/jobs; files, batches and upload links are not supported.',
  }),
  params_not_object: {
    status: 400,
    detail: 'params must be a JSON object',
    literal: true,
    help: 'Send params as an object; in a form, send it as a JSON string.',
    param: 'params',
  },
  invalid_params: withFacts({
    status: 400,
    detail: ({ reason, refunded = false }: AtFault & { reason: string; refunded?: boolean }) =>
      `${reason}${/[.?]$/.test(reason) ? '' : '.'}${refunded ? ' Any charge was refunded in full.' : ''}`,
    example: { reason: 'crf: must be at most 51, not 52', refunded: true },
    help: 'Correct the parameter that param names.',
  }),
  params_too_large: withFacts({
    status: 400,
    detail: ({ what, bytes_max }: { what: keyof typeof TOO_LARGE; bytes_max: number }) =>
      TOO_LARGE[what](bytes_max),
    example: { what: 'params', bytes_max: 65_536 },
    help: 'Shorten params or the URLs, or send fewer files at once.',
  }),
  invalid_file_url: withFacts({
    status: 400,
    detail: ({
      param,
      reason,
      is_link = false,
    }: {
      param: string
      reason: FileUrlFault
      is_link?: boolean
    }) => {
      const fault = typeof reason === 'string' ? FILE_URL_FAULTS[reason] : reason.sentence
      return `${param} is an ${is_link ? 'invalid link' : 'invalid file URL'}: ${fault}`
    },
    example: { param: 'params.file_url', reason: 'upload_expired' },
    help: 'Send a public URL, or one that your upload or job returned.',
  }),
  wrong_file_kind: withFacts({
    status: 400,
    detail: (facts: { operation: string; param: string; accepted_kinds: string; found: string }) =>
      `Wrong file kind for ${facts.operation}: ${facts.param} accepts ${facts.accepted_kinds}, not ${facts.found}.`,
    example: {
      operation: 'video/trim',
      param: 'params.file_url',
      accepted_kinds: 'a video',
      found: 'an image',
    },
    help: 'Send a file of a kind that the tools listing shows in accepts.',
  }),
  insufficient_credits: {
    status: 402,
    detail: 'not enough credits',
    literal: true,
    help: 'Top up, or wait for the next daily credits.',
  },
  too_many_jobs_in_flight: withFacts({
    status: 429,
    detail: ({ open, in_flight_max }: { open: number; in_flight_max: number }) =>
      `Too many jobs in flight: ${open} are open and your plan allows ${in_flight_max}. Wait for one to end.`,
    example: { open: 5, in_flight_max: 5 },
    retry_after_seconds: 10,
    help: 'Submit again when a job has ended.',
  }),
  too_much_unpaid_work: withFacts({
    status: 429,
    detail: ({ minutes_max, retry_after_seconds }: { minutes_max: number } & Wait) =>
      `You reached the per-day limit of ${minutes_max} minutes of unpaid processing (jobs that failed or were canceled). ` +
      `Try again in ${waitInWords(retry_after_seconds)}.`,
    example: { minutes_max: 60, retry_after_seconds: 7200 },
    help: 'Check why your jobs fail, and wait as long as Retry-After says.',
  }),
  job_not_found: {
    status: 404,
    detail: 'Job not found. Check its id.',
    help: "Check the id and the account: other accounts' jobs are reported as not found.",
  },
  job_already_finished: withFacts({
    status: 409,
    detail: ({ status }: { status: string }) =>
      `The job is already finished: its status is ${status}. Run it again with /repeat.`,
    example: { status: 'done' },
    help: 'Read the job; nothing was changed.',
  }),
  job_not_finished: withFacts({
    status: 409,
    detail: ({ status }: { status: string }) =>
      `The job is not finished: its status is ${status}. Wait until it ends.`,
    example: { status: 'processing' },
    help: 'Poll the job until it has ended.',
  }),
  job_not_done: withFacts({
    status: 409,
    detail: ({ status }: { status: string }) =>
      `The job is not done: its status is ${status}. Only finished results can be delivered.`,
    example: { status: 'processing' },
    help: 'Wait until the job is done.',
  }),
  batch_not_found: {
    status: 404,
    detail: 'Batch not found. Check its id.',
    help: "Check the id and the account: other accounts' batches are reported as not found.",
  },
  batch_already_finished: {
    status: 409,
    detail: 'The batch is already finished. Read its files instead.',
    help: 'Read the batch; nothing was changed.',
  },
  invalid_report: {
    status: 422,
    detail: 'The body is not a valid worker protocol report. Use the same release on both sides.',
    help: 'Deploy the same release of the workers and the service.',
  },
  report_id_reused: {
    status: 409,
    detail: 'This report id was used for another report. Give each report its own id.',
    help: 'Give each report its own id.',
  },
  report_too_late: withFacts({
    status: 409,
    detail: ({ verdict }: { verdict: 'over' | 'superseded' }) =>
      `The report is too late: the job is ${verdict}. Discard the work.`,
    example: { verdict: 'over' },
    help: 'Discard what this attempt has written.',
  }),
} as const satisfies Record<string, ErrorEntry>
