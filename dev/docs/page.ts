import { settingsFrom } from '../../edge/settings/rules/settings.ts'
import { READABLE_FORMATS } from '../../shared/ffmpeg/inputs.ts'
import { AVIF_MEGAPIXELS_MAX, MEGAPIXELS_MAX } from '../../shared/images/formats.ts'
import { INPUT_FORMATS } from '../../shared/images/input-formats.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import { RUN_SECONDS_MAX } from '../../shared/planning/longest-run.ts'
import type { Operation } from '../../shared/planning/operation.ts'
import { FRAMES_PER_SECOND, FULL_PASSES_MAX } from '../../shared/planning/work.ts'
import { PIPELINE_STAGES_MAX } from '../../shared/protocol/dispatch.ts'
import { firstSentence } from './first-sentence.ts'
import { addressOf, operationSection } from './operation-section.ts'

interface Group {
  title: string
  holds(operation: Operation): boolean
}

const isLink = ({ accepts }: Operation) => accepts.includes('link')
/** The operations by kind of input. */
export const GROUPS: readonly Group[] = [
  { title: 'Video', holds: (operation) => operation.service === 'video' && !isLink(operation) },
  { title: 'Video links', holds: isLink },
  { title: 'Image', holds: ({ service }) => service === 'image' },
]

/** Returns the content of docs/operations.md. */
export function operationsPage(): string {
  const groups = GROUPS.map(({ title, holds }) => ({ title, operations: OPERATIONS.filter(holds) }))
  const contents = groups.map(({ title, operations }) =>
    [
      `**${title}**`,
      '',
      '| Operation | What it does |',
      '| --- | --- |',
      ...operations.map(contentsRow),
    ].join('\n'),
  )
  const sections = groups.flatMap(({ title, operations }) => [
    `## ${title}`,
    ...operations.map(operationSection),
  ])
  return `${[HEADER, ALL_OPERATIONS, '## Contents', ...contents, ...sections].join('\n\n')}\n`
}

function contentsRow(operation: Operation): string {
  const address = addressOf(operation)
  return `| [${address}](#${address.replaceAll('/', '')}) | ${firstSentence(operation.description)[0]} |`
}

/** Describes the price, which is the same for every operation. */
function describePrice(): string {
  const {
    time_tariff_base_credits: base,
    time_tariff_per_extra_minute_credits: extra,
    time_tariff_max_credits: max,
  } = settingsFrom({})
  return `All operations are charged by processing time: ${base} credits for up to a minute, ${extra} more for
  each further started minute, and at most ${max}. ${base} credits are charged at submit, the rest when the job is
  done. A job that fails or is canceled is refunded in full. Administrators can change these figures; the current ones
  are in \`billing.time_tariff_…\` of the public config. \`credits_per_call\` of the tools listing is not charged.`
}

const HEADER = `<!-- Generated from shared/operations by npm run docs. -->
# Operations

This page lists all ${OPERATIONS.length} operations; programs read them from \`GET /api/v1/studio/tools\`. Submit a job to
\`POST /api/v1/jobs\` with \`service_slug\`, \`operation_key\` and \`params\`. Each section ends with an example body:
replace its URLs with your own.`

/** Text about the parts that all operations share: inputs, pipelines, limits, price, and results. */
export const ALL_OPERATIONS = `## Inputs

- \`params.file_url\` names the input: an upload, the result of an earlier job, or a public URL. Operations on
  links use \`params.url\` instead.
- Video operations read ${READABLE_FORMATS}. Files with DRM and unsupported codecs are refused; the error names the codec.
- Image operations read ${INPUT_FORMATS.map(({ name }) => name).join(', ')}. Camera raw is ${INPUT_FORMATS.at(
  -1,
)
  ?.extensions.map((extension) => extension.toUpperCase())
  .join(', ')}. Media types of other formats are refused before an upload.
- A truncated video is processed up to the point where it ends. \`result.body.missing_seconds\` reports how much its header
  declared beyond that. For MP4, MOV, Matroska, WebM and Flash it is reported for every operation; for other formats
  and for damage within a file only if it shortens the result by at least 1 s and 2%. It is not
  reported if the header declares no track durations (MPEG-TS, AVI).
- A truncated image is refused.
- If a video has several audio tracks, compress, circle, auto_edit and speech recognition use the track that players select by default.
- Speech recognition depends on the server. Without models of whisper.cpp, it recognizes only English (\`language\` auto
  too) and ignores \`quality\`. A job fails if the server does not support its \`language\` or \`task\`.

## Pipelines

- \`params.operations\` chains up to ${PIPELINE_STAGES_MAX} further operations of the same service, each as
  \`{"operation_key": …, "params": …}\`. They run in one job, usually in one run, at no extra charge. An operation can be
  at any position unless its section says otherwise.
- In image pipelines, the last operation that sets format and quality decides both: \`compress\` followed by
  \`convert\` is \`convert\`.

## Limits and price

- The length ceiling of the tier (\`billing.input_max_minutes\` of the public config) also applies to the result of
  every operation. No operation may write more frames than a video of that length has at 1920 x 1080 pixels and
  ${FRAMES_PER_SECOND} frames per second, unless the input itself has more. All operations of a job and its encode together may
  write ${FULL_PASSES_MAX} times as many. Jobs that exceed these limits fail before they start, and are refunded.
- An attempt at a job runs for ${RUN_SECONDS_MAX / 3600} hours at most. A job that would take longer on the smallest worker, such as an
  hour-long WebM of 4K video with 60 frames per second, fails before its encode starts, and is refunded.
- Images are limited to ${MEGAPIXELS_MAX} megapixels, over all frames of an animation, and AVIF to ${AVIF_MEGAPIXELS_MAX} megapixels.
- ${describePrice()}

## Video results

- \`result.body.encode_mode\` reports what was encoded. Encoded video has at most 1080 pixels on
  its shorter side and 4096 on its longer side. For \`trim\` and \`auto_edit\`, \`result.body.encode_reason\` says why
  nothing was copied.
- Encoding a video, or extracting an image from it, drops its transparency; \`result.body.alpha_dropped\` reports it.
  The same applies to an image with an alpha channel that becomes a JPEG, on white.
- Copies into MP4 or Matroska keep the projection of a 360° video. Encoded, it plays as a flat video.
- DV files, and H.264 with B-frames in an AVI, are always encoded, because they store no presentation timestamps.
- \`strip_metadata\` and \`device_meta\` overwrite metadata inside the video stream (date and camera model in AVCHD).
  \`result.body.user_data_removed\` counts these messages; \`encode_mode\` stays \`remux\`, as the frames are unchanged.
- Subtitles are kept if the video is copied and the container supports them, and dropped if it is encoded. Chapters
  are kept unless timestamps change. \`strip_metadata\` and \`device_meta\` remove both, because cameras write locations
  into subtitles.

## Image results

- GIF and WebP keep all frames of an animation (GIF, WebP, animated PNG and AVIF). JPEG, PNG and AVIF keep the first
  frame; \`result.body.frames_dropped\` counts the others, and the pages of a TIFF after the first, which are not
  read. The metadata of an animated AVIF cannot be changed.
- Re-encoded images are upright, in sRGB with 8 bits per channel, and without metadata. PNG output keeps
  16 bits per channel unless \`quality\` is set, the image is drawn on, its tones change, or \`web_optimize\` or
  \`social\` creates it. A plain conversion to PNG also keeps an RGB color profile.
- Emoji are drawn in color. More than 1000 of them, or many in texts that are shown together, are drawn in the text
  color.`
