import type { AcceptedKind, EncodeMode, Operation } from '../../shared/planning/operation.ts'
import { readsOnlySize } from '../../shared/planning/pipeline.ts'
import { encodeModesOf } from './encoding.ts'
import { exampleBody, followingParams } from './examples.ts'
import { code, parametersTable } from './parameters.ts'

const KINDS: Record<AcceptedKind, string> = {
  video: 'a video file',
  image: 'an image file',
  link: 'a public video link (`url`)',
}

const MODES: Record<EncodeMode, string> = {
  remux: 'nothing is encoded, the packets stay as they are (`remux`)',
  video_copy: 'the picture is copied, the sound encoded (`video_copy`)',
  audio_copy: 'the sound is copied, the picture encoded (`audio_copy`)',
  encode: 'picture and sound are encoded, at most 1080p (`encode`)',
}

export function addressOf({ service, key }: Operation): string {
  return `${service}/${key}`
}

/** One operation: what it does, how it encodes, its table of parameters, presets, and a submit. */
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

function factsList(operation: Operation): string {
  const { accepts, enabled_by_default } = operation
  const lines = [
    `Takes ${accepts.map((kind) => KINDS[kind]).join(' or ')}.`,
    ...encodingLine(operation),
    ...pipelineLine(operation),
    ...(enabled_by_default === false
      ? ['Switched off until the operator and an administrator allow it.']
      : []),
  ]
  return lines.map((line) => `- ${line}`).join('\n')
}

function encodingLine(operation: Operation): string[] {
  const modes = encodeModesOf(operation)
  if (operation.link?.({ include: [] }).processes === false) return ['Encoding: none, at any size.']
  const [only, ...others] = modes
  if (only === undefined) return []
  if (others.length === 0) return [`Encoding: ${MODES[only]}.`]
  return [`Encoding, by parameters and input: ${modes.map((mode) => MODES[mode]).join('; or ')}.`]
}

/** Where among the operations of one job this one may stand. */
function pipelineLine(operation: Operation): string[] {
  const { accepts, edit, requiresPipeline } = operation
  if (accepts.includes('link')) return ['Pipeline: neither leads nor follows others.']
  if (requiresPipeline) return ['Pipeline: leads the operations of `params.operations`.']
  const leads = edit !== undefined
  const follows = readsOnlySize(operation)
  if (leads && follows) return []
  if (leads) return [`Pipeline: first, since it measures the input${exceptionText(operation)}.`]
  return [
    `Pipeline: ${follows ? 'last, since nothing can follow its result' : 'neither leads nor follows others'}.`,
  ]
}

function exceptionText(operation: Operation): string {
  const keys = followingParams(operation).flatMap((params) => Object.keys(params))
  return keys.length === 0 ? '' : `; anywhere with ${keys.map((key) => `\`${key}\``).join(' or ')}`
}

function presetsList({ presets }: Operation): string[] {
  if (presets.length === 0) return []
  const lines = presets.map(({ label, params }) => `- **${label}** ${code(params)}`)
  return [['Presets:', '', ...lines].join('\n')]
}
