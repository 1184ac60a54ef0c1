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

/** Names the invalid input of a submission by its path in the request. */
export interface StagePlaces {
  /** Path of the params of the job's own operation, with a final dot. */
  first: string
  /** Path of the list of the operations that follow. */
  list: string
  /** Path of an operation that follows, by its index. */
  following(index: number): string
  /** Path of the object that sentences omit, because all their names are in it. */
  root: string
}

/** A job has its own params, which contain the operations that follow. */
export const IN_JOB: StagePlaces = {
  first: '',
  list: 'operations',
  following: (index) => `operations.${index}`,
  root: 'params.',
}

/** A template lists all its operations. */
export const IN_TEMPLATE: StagePlaces = {
  first: 'operations.0.params.',
  list: 'operations',
  following: (index) => `operations.${index + 1}`,
  root: '',
}

export type StagesRefusal = { refused: Refusal<'invalid_params' | 'operation_takes_link'> }

/**
 * Splits a submission into stages and validates each one: first the operation with its own parameters, then the
 * operations listed in params.operations. Contract: Catalog, Pipelines.
 * @param live the enabled operations.
 * @param places name the invalid input.
 */
export function readStages(
  operation: Operation,
  params: Record<string, unknown>,
  live: Iterable<Operation>,
  places: StagePlaces = IN_JOB,
): { stages: [Stage, ...Stage[]] } | StagesRefusal {
  const refused = (field: string, reason: Texts) => refuseField(places.root, field, reason)
  const fileRefusal = params.file_url === undefined ? null : refuseFile(operation)
  if (fileRefusal !== null) return { refused: fileRefusal }
  const first = readStage(operation, ownParameters(operation, params), places.first)
  if ('field' in first) return refused(first.field, first.reason)
  const following = params.operations ?? []
  if (!Array.isArray(following) || following.length > PIPELINE_STAGES_MAX) {
    return refused(places.list, NOT_A_LIST)
  }
  if (operation.requiresPipeline && following.length === 0) {
    const { key } = operation
    return refused(places.list, {
      en: `operations: is missing; ${key} carries out the operations listed there`,
      uk: `operations: список обов’язковий; ${key} виконує перелічені в ньому операції`,
      ru: `operations: список обязателен; ${key} выполняет перечисленные в нем операции`,
    })
  }
  const stages: [Stage, ...Stage[]] = [first]
  const followers = followersOf(operation, live)
  for (const [index, entry] of following.entries()) {
    const stage = readFollowing(entry, places.following(index), followers)
    if ('field' in stage) return refused(stage.field, stage.reason)
    stages.push(stage)
  }
  const refusal = refuseStages(stages)
  return refusal === null ? { stages } : refused(places.list, after('operations: ', refusal.refused.message))
}

/** A refused stage: the path of what is invalid, and why. */
interface StageFault {
  field: string
  reason: Texts
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

const NESTED: Texts = {
  en: ': an operation of a pipeline cannot contain a pipeline. List all operations one after another',
  uk: ': операція конвеєра не може містити конвеєр. Перелічіть усі операції одну за одною',
  ru: ': операция конвейера не может содержать конвейер. Перечислите все операции одну за другой',
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
  // A name such as image/resize also contains the service, which is that of the job.
  const suggestion = typeof key === 'string' ? suggestName(key.replace(/^\w+\//, ''), known) : undefined
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
): Stage | StageFault {
  const fault = (field: string, reason: Texts): StageFault => ({ field, reason: after(field, reason) })
  if (!isRecord(entry)) return fault(place, NOT_A_STAGE)
  const { operation_key, params = {}, ...others } = entry
  const [stray] = Object.keys(others)
  if (stray !== undefined) return fault(place, STRAY_FIELD)
  const operation = typeof operation_key === 'string' ? followers.get(operation_key) : undefined
  if (operation === undefined) {
    return fault(`${place}.operation_key`, describeUnknown(operation_key, [...followers.keys()]))
  }
  if (!isRecord(params)) return fault(`${place}.params`, NOT_AN_OBJECT)
  if (params.operations !== undefined) return fault(`${place}.params.operations`, NESTED)
  return readStage(operation, params, `${place}.params.`)
}

function readStage(operation: Operation, params: Record<string, unknown>, place: string): Stage | StageFault {
  const checked = validateParams(operation, params)
  if ('refused' in checked) {
    const { field, message } = checked.refused
    return { field: field === null ? place.replace(/\.$/, '') : place + field, reason: after(place, message) }
  }
  return { operation, params: checked.params }
}

/** Returns the files that a stage requests by URL in addition to its input. */
export function assetsOf({ operation, params }: Stage): AssetRequest[] {
  return operation.assets?.(params) ?? []
}

/** @param field the path of the invalid parameter within the object at `root`. */
function refuseField(root: string, field: string, reason: Texts): StagesRefusal {
  return {
    refused: { code: 'invalid_params', facts: { param: (root + field).replace(/\.$/, ''), reason } },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
