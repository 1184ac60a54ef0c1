import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findOperation } from '../../shared/operations/index.ts'
import type { AssetFacts, Facts, ImageFacts } from '../../shared/planning/facts.ts'
import type { Plan } from '../../shared/planning/operation.ts'
import { assetKey, planPipeline, type Stage } from '../../shared/planning/pipeline.ts'
import { SOURCE } from '../../shared/planning/steps.ts'
import { validateParams } from '../../shared/planning/validate.ts'
import { parseEnvironment } from '../environment.ts'
import { readAsset } from '../probe/assets.ts'
import { imageFacts } from '../probe/image/image.ts'
import { readImageFacts } from '../probe/image/sequence.ts'
import type { ImageMeasure } from '../steps/image/measure.ts'
import { runSteps } from '../steps/index.ts'

/** One image operation: its key and the parameters as submitted. */
export type ImageSpec = [key: string, params?: Record<string, unknown>]

export interface OperatedImage {
  file: string
  content: Buffer
  measured: ImageMeasure | undefined
  /** What the plan adds to the body of the result. */
  body: Plan['body']
  /** Facts measured from the result. */
  facts: ImageFacts
}

/** Runs image operations on a file as a job does. `logo` becomes an asset of the first operation. */
export async function operateImage(
  content: Buffer,
  specs: [ImageSpec, ...ImageSpec[]],
  { logo, settings = {} }: { logo?: Buffer; settings?: Record<string, string> } = {},
): Promise<OperatedImage> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-image-'))
  const addresses = { EDGE_URL: 'http://127.0.0.1', FLEET_KEYS: 'YWFh', S3_ENDPOINT: 'http://127.0.0.1' }
  const environment = parseEnvironment({
    ...addresses,
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
    ...settings,
  })
  const run = { folder, environment, signal: new AbortController().signal }
  try {
    await writeFile(join(folder, SOURCE), content)
    const assets: Record<string, AssetFacts> = {}
    if (logo !== undefined) {
      const file = 'asset-0-logo_url'
      await writeFile(join(folder, file), logo)
      assets[assetKey(0, 'logo_url')] = await readAsset(file, { kind: 'image' }, run)
    }
    const facts = { image: await readImageFacts(join(folder, SOURCE), run), assets } as Facts
    const [first, ...others] = specs
    const plan = planPipeline([stageOf(first), ...others.map(stageOf)], facts)
    if ('refused' in plan) throw new Error(`${plan.refused.field}: ${plan.refused.message.en}`)
    const measured = await runSteps(plan.steps, run, () => {})
    const [{ file }] = plan.outputs
    return {
      file,
      content: await readFile(join(folder, file)),
      measured: measured.get(file) as ImageMeasure | undefined,
      body: plan.body,
      facts: await imageFacts(join(folder, file), environment),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

function stageOf([key, params = {}]: ImageSpec): Stage {
  const operation = findOperation('image', key)
  if (operation === undefined) throw new Error(`there is no image/${key}`)
  const valid = validateParams(operation, params)
  if ('refused' in valid) throw new Error(valid.refused.message.en)
  return { operation, params: valid.params }
}
