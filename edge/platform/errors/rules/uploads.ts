import { waitInWords } from '../../http/rules/wait.ts'
import { sizeInWords } from '../../rules/size-in-words.ts'
import { type ErrorEntry, type Wait, withFacts } from './entry.ts'

const LINK_FAILED =
  "The file could not be processed because of a problem on the link owner's side. Ask the owner for a new link."

/** Errors for files, uploads and upload links. */
export const UPLOAD_ERRORS = {
  file_not_found: {
    status: 404,
    detail: 'File not found or expired. Upload it again, or run its job again.',
    help: 'Files expire at expires_at: download results before then.',
  },
  range_not_satisfiable: {
    status: 416,
    detail: 'Requested range is not satisfiable. Request a range inside the file.',
    help: 'Read the size of the file from Content-Range.',
  },
  file_too_large: withFacts({
    status: 413,
    detail: ({ bytes_max, is_proxied = false }: { bytes_max: number; is_proxied?: boolean }) => {
      const advice = is_proxied
        ? 'Use a direct upload (POST /api/v1/uploads/presign).'
        : 'Send a smaller file.'
      return `The file is larger than ${sizeInWords(bytes_max)}. ${advice}`
    },
    example: { bytes_max: 5 * 1024 ** 3 },
    help: 'Send a smaller file, or use a direct upload for more than 100 MB.',
  }),
  file_type_not_allowed: withFacts({
    status: 415,
    detail: ({ content_type, allowed }: { content_type: string; allowed?: readonly string[] }) =>
      `Files of type ${content_type} are not allowed. ` +
      (allowed === undefined ? 'Send a video, an image or an audio file.' : `Send ${allowed.join(' or ')}.`),
    example: { content_type: 'text/html', allowed: ['video/*'] },
    help: 'Send another type; allowed_mime_types of an upload link lists the accepted types.',
  }),
  file_type_mismatch: withFacts({
    status: 415,
    detail: ({ declared, found }: { declared: string; found: string }) =>
      `The file was declared as ${declared}, but it is ${found}. Upload it again with the correct content_type.`,
    example: { declared: 'video/mp4', found: 'an image' },
    help: 'Declare the actual type of the file.',
  }),
  file_larger_than_declared: withFacts({
    status: 413,
    detail: ({ declared, found }: { declared: number; found: number }) =>
      `The file has ${found} bytes, but ${declared} were declared. Upload it again with the correct size_bytes.`,
    example: { declared: 1000, found: 1001 },
    help: 'Declare the actual size of the file.',
  }),
  file_truncated: withFacts({
    status: 400,
    detail: ({ declared, found }: { declared: number; found: number }) =>
      `The file has ${found} bytes, but ${declared} were declared. Upload the whole file again.`,
    example: { declared: 1000, found: 999 },
    help: 'Upload the whole file again.',
  }),
  file_encoded: {
    status: 415,
    detail: 'The file was sent with a Content-Encoding header. Send it unencoded, without the header.',
    help: 'Upload the file as it is.',
  },
  file_not_uploaded: {
    status: 400,
    detail: 'The file has not been uploaded, or was deleted. Upload it first.',
    help: 'Start an upload, send the file, then complete the upload.',
  },
  too_many_uploads: withFacts({
    status: 429,
    detail: ({ limit, retry_after_seconds }: { limit: number } & Wait) =>
      `Anonymous callers may upload ${limit} files a day. Sign in, or try again in ${waitInWords(retry_after_seconds)}.`,
    example: { limit: 20, retry_after_seconds: 7200 },
    help: 'Sign in: accounts do not have this limit.',
  }),
  too_many_open_uploads: withFacts({
    status: 429,
    detail: ({ limit_gb, retry_after_seconds }: { limit_gb: number } & Wait) =>
      `Uploads that no job uses yet are limited to ${limit_gb} GB in total. Use them in jobs, ` +
      `or try again in ${waitInWords(retry_after_seconds)}, when the first one expires.`,
    example: { limit_gb: 20, retry_after_seconds: 3600 },
    help: 'Use uploads in jobs, or wait until the first one expires.',
  }),
  upload_not_found: {
    status: 404,
    detail: 'Upload not found or expired. Create a new one.',
    help: 'Create the upload again, and send all parts.',
  },
  upload_already_completed: {
    status: 409,
    detail: 'The upload is already completed. Use its file in a job.',
    help: 'Use the URL from the response that completed the upload.',
  },
  parts_missing: withFacts({
    status: 400,
    detail: ({ missing, part_count, first }: { missing: number; part_count: number; first: number }) =>
      `${missing} of ${part_count} parts are missing, beginning with part ${first}. Send them and list all parts.`,
    example: { missing: 2, part_count: 50, first: 7 },
    help: 'Upload the missing parts and list all of them.',
  }),
  too_many_parts: withFacts({
    status: 400,
    detail: ({ listed, part_count }: { listed: number; part_count: number }) =>
      `The upload has ${part_count} parts, but ${listed} are listed. List each part once.`,
    example: { listed: 51, part_count: 50 },
    help: 'List each part once.',
  }),
  parts_out_of_order: {
    status: 400,
    detail: 'The parts are not in ascending order. Sort them by part_number.',
    help: 'Sort the parts by part_number.',
  },
  part_mismatch: {
    status: 400,
    detail:
      'A listed part does not match the uploaded part. Upload missing parts, and list the ETag of each part.',
    help: 'List the ETag that storage returned for each part.',
  },
  upload_session_not_found: {
    status: 404,
    detail: 'Upload session not found. Check its id.',
    help: "Check the id and the account: other accounts' sessions are reported as not found.",
  },
  upload_link_not_found: {
    status: 404,
    detail: 'Upload link not found. Check that you copied the whole URL.',
    help: 'Check that the whole token was copied.',
  },
  upload_link_used: {
    status: 409,
    detail: 'The upload link was already used. Each link accepts one file.',
    help: 'Ask for a new link; its owner can still cancel the job.',
  },
  upload_link_expired: {
    status: 410,
    detail: 'The upload link has expired. Ask for a new one.',
    help: 'Ask the sender of the link for a new one.',
  },
  upload_link_withdrawn: {
    status: 410,
    detail: 'The upload link was withdrawn. Ask for a new one.',
    help: 'Ask the sender of the link for a new one.',
  },
  upload_link_closed: {
    status: 410,
    detail: 'The upload link is closed. Ask for a new one.',
    help: 'Ask the sender of the link for a new one.',
  },
  upload_link_exhausted: {
    status: 410,
    detail: 'Too many uploads were started with this link. Ask for a new one.',
    help: 'Ask the sender of the link for a new one.',
  },
  upload_link_busy: {
    status: 429,
    detail: 'Other files from the owner of this link are still being processed. Try again shortly.',
    retry_after_seconds: 10,
    help: 'Complete the upload again after Retry-After; the file is kept.',
  },
  upload_link_unpaid: {
    status: 402,
    detail: LINK_FAILED,
    help: 'Ask the owner of the link to top up and to create a new link.',
  },
  upload_link_failed: {
    status: 400,
    detail: LINK_FAILED,
    help: 'Ask the owner of the link, whose upload session shows the reason.',
  },
  upload_superseded: {
    status: 409,
    detail: 'Another upload was started with this link. Complete that one.',
    help: 'Complete the newest upload of the link.',
  },
} as const satisfies Record<string, ErrorEntry>
