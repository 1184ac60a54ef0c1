import type { AssetRequest, Operation } from '../../../shared/planning/operation.ts'
import { refuseStages, type Stage } from '../../../shared/planning/pipeline.ts'
import { suggestName } from '../../../shared/planning/suggest.ts'
import { validateParams } from '../../../shared/planning/validate.ts'
import { PIPELINE_STAGES_MAX } from '../../../shared/protocol/dispatch.ts'
import { type Locale, type Texts, writeTexts } from '../../../shared/text/texts.ts'
import { didYouMean } from '../../../shared/text/words.ts'
import type { Refusal } from '../../platform/errors/rules/table.ts'

/** Params that every operation accepts in addition to its own. */
const ENVELOPE_KEYS = ['file_url', 'filename', 'operations']

export type StagesRefusal = { refused: Refusal<'invalid_params' | 'operation_takes_link'> }

/**
 * Splits a submission into stages and validates each one: first the operation with its own parameters, then the
 * operations listed in params.operations. Contract: Catalog, Pipelines.
 * @param live the enabled operations.
 */
export function readStages(
  operation: Operation,
  params: Record<string, unknown>,
  live: Iterable<Operation>,
): { stages: [Stage, ...Stage[]] } | StagesRefusal {
  const fileRefusal = params.file_url === undefined ? null : refuseFile(operation)
  if (fileRefusal !== null) return { refused: fileRefusal }
  const first = readStage(operation, ownParameters(operation, params), '')
  if ('refused' in first) return first
  const following = params.operations ?? []
  if (!Array.isArray(following) || following.length > PIPELINE_STAGES_MAX) {
    return refused('operations', NOT_A_LIST)
  }
  if (operation.requiresPipeline && following.length === 0) {
    const { key } = operation
    return refused('operations', {
      en: `operations: is missing; ${key} carries out the operations listed there`,
      uk: `operations: список обов’язковий; ${key} виконує перелічені в ньому операції`,
      ru: `operations: список обязателен; ${key} выполняет перечисленные в нем операции`,
    })
  }
  const stages: [Stage, ...Stage[]] = [first]
  const followers = followersOf(operation, live)
  for (const [index, entry] of following.entries()) {
    const stage = readFollowing(entry, `operations.${index}`, followers)
    if ('refused' in stage) return stage
    stages.push(stage)
  }
  const refusal = refuseStages(stages)
  return refusal === null ? { stages } : refused('operations', after('operations: ', refusal.refused.message))
}

const NOT_A_LIST: Texts = {
  en: `operations: must be a list of at most ${PIPELINE_STAGES_MAX} operations`,
  uk: `operations: значення має бути списком, у якому не більше операцій, ніж ${PIPELINE_STAGES_MAX}`,
  ru: `operations: значение должно быть списком, в котором не больше операций, чем ${PIPELINE_STAGES_MAX}`,
}

const NOT_A_STAGE: Texts = {
  en: ': must be an object with operation_key and params',
  uk: ': значення має бути об’єктом з operation_key і params',
  ru: ': значение должно быть объектом с operation_key и params',
}

const STRAY_FIELD: Texts = {
  en: ': only operation_key and params are allowed',
  uk: ': допускаються лише operation_key і params',
  ru: ': допускаются только operation_key и params',
}

const NOT_AN_OBJECT: Texts = {
  en: ' must be a JSON object',
  uk: ': значення має бути об’єктом JSON',
  ru: ': значение должно быть объектом JSON',
}

/** Returns the operations that can follow another one, by key: those of its service that accept files. */
function followersOf({ service }: Operation, live: Iterable<Operation>): ReadonlyMap<string, Operation> {
  const followers = [...live].filter((each) => each.service === service && !each.accepts.includes('link'))
  return new Map(followers.map((each) => [each.key, each]))
}

function describeUnknown(key: unknown, known: readonly string[]): Texts {
  const suggestion = typeof key === 'string' ? suggestName(key, known) : undefined
  const advice = (locale: Locale) => (suggestion === undefined ? '' : `. ${didYouMean(locale, suggestion)}`)
  return {
    en: `: is not an operation of this service${advice('en')}`,
    uk: `: у цього сервісу немає такої операції${advice('uk')}`,
    ru: `: у этого сервиса нет такой операции${advice('ru')}`,
  }
}

/** Prefixes a text with the path of the value that it is about. */
function after(place: string, texts: Texts): Texts {
  return writeTexts((locale) => place + texts[locale])
}

/** Refuses a file for a link operation, which reads a URL instead. Returns null for all other operations. */
export function refuseFile({ service, key, accepts }: Operation): Refusal<'operation_takes_link'> | null {
  if (!accepts.includes('link')) return null
  return { code: 'operation_takes_link', facts: { operation: `${service}/${key}` } }
}

function ownParameters({ accepts }: Operation, params: Record<string, unknown>): Record<string, unknown> {
  const isLink = accepts.includes('link')
  return Object.fromEntries(
    Object.entries(params).filter(([key]) => !ENVELOPE_KEYS.includes(key) || (isLink && key === 'url')),
  )
}

function readFollowing(
  entry: unknown,
  place: string,
  followers: ReadonlyMap<string, Operation>,
): Stage | StagesRefusal {
  if (!isRecord(entry)) return refused(place, after(place, NOT_A_STAGE))
  const { operation_key, params = {}, ...others } = entry
  const [stray] = Object.keys(others)
  if (stray !== undefined) return refused(place, after(place, STRAY_FIELD))
  const operation = typeof operation_key === 'string' ? followers.get(operation_key) : undefined
  if (operation === undefined) {
    const field = `${place}.operation_key`
    return refused(field, after(field, describeUnknown(operation_key, [...followers.keys()])))
  }
  if (!isRecord(params)) return refused(`${place}.params`, after(`${place}.params`, NOT_AN_OBJECT))
  return readStage(operation, params, `${place}.params.`)
}

function readStage(
  operation: Operation,
  params: Record<string, unknown>,
  place: string,
): Stage | StagesRefusal {
  const checked = validateParams(operation, params)
  if ('refused' in checked) {
    const { field, message } = checked.refused
    return refused(field === null ? place.replace(/\.$/, '') : place + field, after(place, message))
  }
  return { operation, params: checked.params }
}

/** Returns the files that a stage requests by URL in addition to its input. */
export function assetsOf({ operation, params }: Stage): AssetRequest[] {
  return operation.assets?.(params) ?? []
}

/** @param field the path of the invalid parameter within `params`. */
function refused(field: string, reason: Texts): StagesRefusal {
  return {
    refused: {
      code: 'invalid_params',
      facts: { param: field === '' ? 'params' : `params.${field}`, reason },
    },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
