import { exampleBody } from '../../shared/operations/examples.ts'
import type { AcceptedKind, EncodeMode, Operation } from '../../shared/planning/operation.ts'
import { readsOnlySize } from '../../shared/planning/pipeline.ts'
import { encodeModesOf } from './encoding.ts'
import { followingParams } from './following-params.ts'
import { code, parametersTable } from './parameters.ts'

const KINDS: Record<AcceptedKind, string> = {
  video: 'a video file',
  image: 'an image file',
  link: 'a public video link (`url`)',
}

const MODES: Record<EncodeMode, string> = {
  remux: 'none, all packets are copied (`remux`)',
  video_copy: 'audio only, the video is copied (`video_copy`)',
  audio_copy: 'video only, the audio is copied (`audio_copy`)',
  encode: 'video and audio, up to 1080p (`encode`)',
}

export function addressOf({ service, key }: Operation): string {
  return `${service}/${key}`
}

/** Returns an operation's section: description, encoding, parameters, presets, and an example. */
export function operationSection(operation: Operation): string {
  const { title, description, parameters } = operation
  return [
    `### ${addressOf(operation)}`,
    `**${title}.** ${description}`,
    factsList(operation),
    parametersTable(parameters),
    ...presetsList(operation),
    ['```json', JSON.stringify(exampleBody(operation), null, 2), '```'].join('\n'),
  ].join('\n\n')
}

/** Lists the inputs, encoders and requirements of an operation. */
export function factsList(operation: Operation): string {
  const { accepts, enabled_by_default } = operation
  const lines = [
    `Accepts ${accepts.map((kind) => KINDS[kind]).join(' or ')}.`,
    ...encodingLine(operation),
    ...pipelineLine(operation),
    ...(enabled_by_default === false
      ? ['Disabled by default; the operator and an administrator enable it.']
      : []),
  ]
  return lines.map((line) => `- ${line}`).join('\n')
}

function encodingLine(operation: Operation): string[] {
  const modes = encodeModesOf(operation)
  if (operation.link?.({ include: [] }).processes === false) return ['Encoding: none, at any resolution.']
  const [only, ...others] = modes
  if (only === undefined) return []
  if (others.length === 0) return [`Encoding: ${MODES[only]}.`]
  return [`Encoding, depending on parameters and input: ${modes.map((mode) => MODES[mode]).join('; or ')}.`]
}

/** Describes where an operation can appear in a pipeline. */
function pipelineLine(operation: Operation): string[] {
  const { accepts, edit, requiresPipeline } = operation
  if (accepts.includes('link')) return ['Pipeline: not supported.']
  if (requiresPipeline) return ['Pipeline: first, followed by the operations of `params.operations`.']
  const leads = edit !== undefined
  const follows = readsOnlySize(operation)
  if (leads && follows) return []
  if (leads) return [`Pipeline: first, because it analyzes the input${exceptionText(operation)}.`]
  return [`Pipeline: ${follows ? 'last, because no operation accepts its result' : 'not supported'}.`]
}

function exceptionText(operation: Operation): string {
  const keys = followingParams(operation).flatMap((params) => Object.keys(params))
  return keys.length === 0 ? '' : `; at any position with ${keys.map((key) => `\`${key}\``).join(' or ')}`
}

export function presetsList({ presets }: Operation): string[] {
  if (presets.length === 0) return []
  const lines = presets.map(({ label, params }) => `- **${label}** ${code(params)}`)
  return [['Presets:', '', ...lines].join('\n')]
}
