import { describe, expect, test } from 'vitest'
import { CONTENT_TYPES, contentTypeOf, extensionOf } from '../planning/formats.ts'
import type { Operation, Plan } from '../planning/operation.ts'
import { planPipeline } from '../planning/pipeline.ts'
import { sampleFacts } from '../planning/sample-facts.ts'
import { SOURCE, type Step } from '../planning/steps.ts'
import { validateParams } from '../planning/validate.ts'
import { strip_meta } from './image/strip_meta.ts'
import { findOperation, OPERATIONS } from './index.ts'

/** An audio file for parameters that reference an asset. */
const ASSET = { file: 'asset', width: 0, height: 0, duration_seconds: 4 }

const facts = sampleFacts({ assets: { '0-tracks.0.url': ASSET } })

/** Operations to run before one that has no effect on its own. */
const STRIP = { operation: strip_meta as unknown as Operation, params: strip_meta.parameters.parse({}) }

/** Returns the required parameters: the input, or assets. */
function requiredOf({ key, accepts }: Operation): Record<string, unknown> {
  const url = 'https://example.com/watch'
  if (accepts.includes('link')) return { url }
  return key === 'add_audio' ? { tracks: [{ url }] } : {}
}

function settingsOf(operation: Operation): Record<string, unknown>[] {
  return [requiredOf(operation), ...operation.presets.map((preset) => preset.params)]
}

/** Returns the plans of every preset, and of the defaults if they are sufficient. */
function plansOf(operation: Operation): Plan[] {
  return settingsOf(operation).flatMap((params) => {
    const valid = validateParams(operation, params)
    if ('refused' in valid) return []
    const stage = { operation, params: valid.params }
    const plan = planPipeline(operation.requiresPipeline === true ? [stage, STRIP] : [stage], facts)
    if ('refused' in plan) throw new Error(plan.refused.message.en)
    return [plan]
  })
}

function inputsOf(step: Step): string[] {
  if (step.kind === 'text' || step.kind === 'layer' || step.kind === 'emoji') return []
  if (step.kind === 'join') return step.parts.map(({ file }) => file)
  if (step.kind === 'check_cut') return [step.file]
  return 'inputs' in step ? step.inputs.map((input) => input.file) : [step.input]
}

function expectWritten(plan: Plan): void {
  const written: string[] = []
  for (const step of plan.steps) {
    for (const input of inputsOf(step)) expect([SOURCE, ASSET.file, ...written]).toContain(input)
    written.push('output' in step ? step.output.file : step.file)
  }
  for (const { file } of plan.outputs) {
    expect(written).toContain(file)
    expect(Object.keys(CONTENT_TYPES)).toContain(extensionOf(file))
  }
}

test('finds an operation only by service and key', () => {
  for (const operation of OPERATIONS) expect(findOperation(operation.service, operation.key)).toBe(operation)
  expect(findOperation('image', 'trim')).toBeUndefined()
  expect(findOperation('video', '__proto__')).toBeUndefined()
})

describe.each(OPERATIONS.map((operation) => [`${operation.service}/${operation.key}`, operation] as const))(
  '%s',
  (_, operation) => {
    test('has a unique key', () => {
      const same = OPERATIONS.filter(
        ({ service, key }) => service === operation.service && key === operation.key,
      )
      expect(same).toHaveLength(1)
    })

    test('accepts its defaults, or names the required parameter', () => {
      const result = validateParams(operation, {})
      if ('refused' in result) expect(Object.keys(operation.parameters.shape)).toContain(result.refused.field)
    })

    test('accepts its presets, whose labels are unique', () => {
      for (const preset of operation.presets)
        expect(validateParams(operation, preset.params)).toHaveProperty('params')
      const labels = operation.presets.map((preset) => preset.label)
      expect(new Set(labels).size).toBe(labels.length)
    })

    test('plans the same steps for the same input', () => {
      expect(plansOf(operation)).toEqual(plansOf(operation))
      expect(plansOf(operation).length).toBeGreaterThan(0)
    })

    test('writes outputs in served formats, from files that exist', () => {
      for (const plan of plansOf(operation)) expectWritten(plan)
    })
  },
)

test.each([
  ['video.MP4', 'video/mp4'],
  ['a.b.webm', 'video/webm'],
  ['no-extension', 'application/octet-stream'],
  ['x.constructor', 'application/octet-stream'],
  ['.jpg', 'image/jpeg'],
])('the content type of %s is %s', (file, type) => {
  expect(contentTypeOf(file)).toBe(type)
})
