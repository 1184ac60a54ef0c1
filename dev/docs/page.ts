import { settingsFrom } from '../../edge/settings/rules/settings.ts'
import { READABLE_FORMATS } from '../../shared/ffmpeg/inputs.ts'
import { AVIF_MEGAPIXELS_MAX, MEGAPIXELS_MAX } from '../../shared/images/formats.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/planning/operation.ts'
import { FRAMES_PER_SECOND, FULL_PASSES_MAX } from '../../shared/planning/work.ts'
import { PIPELINE_STAGES_MAX } from '../../shared/protocol/dispatch.ts'
import { addressOf, operationSection } from './operation-section.ts'

interface Group {
  title: string
  holds(operation: Operation): boolean
}

const isLink = ({ accepts }: Operation) => accepts.includes('link')
const GROUPS: readonly Group[] = [
  { title: 'Video', holds: (operation) => operation.service === 'video' && !isLink(operation) },
  { title: 'Video links', holds: isLink },
  { title: 'Image', holds: ({ service }) => service === 'image' },
]

/** The whole of docs/operations.md. */
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
  return `${[INTRODUCTION, ...contents, ...sections].join('\n\n')}\n`
}

function contentsRow(operation: Operation): string {
  const address = addressOf(operation)
  return `| [${address}](#${address.replaceAll('/', '')}) | ${operation.description} |`
}

/** Every operation has the same price. */
function describePrice(): string {
  const {
    time_tariff_base_credits: base,
    time_tariff_per_extra_minute_credits: extra,
    time_tariff_max_credits: max,
  } = settingsFrom({})
  return `Every operation costs the same, by its processing time: ${base} credits for up to a minute, ${extra} more for
  each further started minute, and at most ${max}. The first ${base} are charged at submit, the rest when the job is
  done; a job that fails or is canceled gets all of them back. Administrators can change these figures: the live ones
  are in \`billing.time_tariff_…\` of the public config. \`credits_per_call\` of the tools listing is not charged.`
}

const INTRODUCTION = `<!-- Written by npm run docs out of shared/operations: change it there. -->
# Operations

All ${OPERATIONS.length} operations, as \`GET /api/v1/studio/tools\` lists them for programs. A job is submitted by
\`POST /api/v1/jobs\` with \`service_slug\`, \`operation_key\` and \`params\`; each section ends with a body that is
accepted as it stands, once its addresses are yours.

- \`params.file_url\` names the input: an upload, the result of an earlier job, or a public address. Operations on
  links take \`params.url\` instead.
- Video operations read ${READABLE_FORMATS}.
  Protected files (DRM) are refused, and so are codecs that nothing here decodes, by name.
- \`params.operations\` chains up to ${PIPELINE_STAGES_MAX} further operations of the same service,
  \`{"operation_key": …, "params": …}\` each, in one job and mostly in one run. Where nothing is said below, an
  operation may stand anywhere in such a row. It does not change the cost.
- The length ceiling of the caller's tier (\`billing.input_max_minutes\` of the public config) bounds videos after every
  operation too, not just the input. No operation may make more frames than a video of that length has at
  1920 x 1080 pixels and ${FRAMES_PER_SECOND} frames a second, unless the input has more by itself, and all operations of a job
  and its encode together ${FULL_PASSES_MAX} times as many. Jobs beyond that fail before they start, and the charge is refunded.
- In a row of image operations the last one that speaks of format and quality decides how the file is written:
  \`compress\`, then \`convert\`, is \`convert\`.
- ${describePrice()}
- \`result.body.encode_mode\` tells how much was encoded anew. What is encoded comes out at most 1080 pixels on
  its shorter side and 4096 on its longer side.
- Videos that are encoded, and images made of them, are opaque: \`result.body.alpha_dropped\` says that a transparency was lost.
  So it does where an image with an alpha channel becomes a JPEG, on white.
- The projection of a 360° video goes along with a copy into MP4 or Matroska; encoded, it plays as a flat video.
- H.264 with B-frames in an AVI is always encoded: an AVI does not say in which order its frames are shown.
- Of a video that was cut off, what came is worked on, and it is as long as that. \`result.body.missing_seconds\` tells
  how many seconds its header says there were more: of MP4, MOV, Matroska, WebM and Flash whatever part of them
  is asked for; of others, and where a file is damaged on its way, where the result gets shorter by that, from one second and
  2 % on. It is not told where the header does not say how long picture and sound are (MPEG-TS, AVI).
- Where \`strip_metadata\` or \`device_meta\` overwrote what a camera had written into the coded video itself (date and
  model in the H.264 of AVCHD), \`result.body.user_data_removed\` counts those messages. \`encode_mode\` stays \`remux\`:
  the coded frames are the same bytes.
- Subtitles go along where the picture is copied, as far as the container holds them; they are not drawn into a
  picture that is encoded anew, nor kept beside it. Chapters go along with a copy, and wherever all keeps its time.
  \`strip_metadata\` and \`device_meta\` remove both, as cameras write places into subtitles.
- Animations (GIF, WebP, animated PNG and AVIF) stay animated in GIF and WebP. JPEG, PNG and AVIF take the first
  frame, and \`result.body.frames_dropped\` is the number of the others. It also counts the pages of a TIFF behind the
  first, which are not read. The metadata of an animated AVIF cannot be changed.
- A truncated image is refused.
- Emoji have their colors in the texts of watermarks; in covers and captions they are drawn in the color of the text.
- Pictures that are written anew come out upright, in sRGB of 8 bits a channel and without the metadata they had.
  A PNG without a quality keeps 16 bits a channel where it is not drawn on, changed in its tones, or made for the
  web or a network; converted and no more, it keeps an RGB color profile, too. JPEG, WebP, AVIF and GIF have 8 bits.
- No picture is made that would be too large to be taken in again: more than ${MEGAPIXELS_MAX} megapixels, of an
  animation in all its frames together. An AVIF has at most ${AVIF_MEGAPIXELS_MAX}.
- Of several sound tracks compress, circle, auto_edit and what listens to speech take the one that players play.`
