import type { ImageAction } from '../../../shared/planning/steps.ts'

/**
 * The order in which a single sharp pipeline applies its operations, regardless of the order of the calls (sharp's
 * src/pipeline.cc). `crop` is the extract before the resize.
 */
const ORDER = [
  'crop',
  'resize',
  'flip',
  'rotate',
  'blur',
  'sharpness',
  'overlay',
  'circle',
  'color',
  'autocontrast',
] as const satisfies ImageAction['action'][]

/**
 * Groups actions into stages, each of which is one sharp pipeline that follows sharp's order. Pixels stay decoded
 * between stages, so an image is always decoded and encoded only once.
 */
export function groupStages(actions: readonly ImageAction[]): [ImageAction[], ...ImageAction[][]] {
  const stages: [ImageAction[], ...ImageAction[][]] = [[]]
  for (const action of actions) {
    const stage = stages.at(-1) ?? []
    if (fits(stage, action)) stage.push(action)
    else stages.push([action])
  }
  return stages
}

function fits(stage: readonly ImageAction[], { action }: ImageAction): boolean {
  const last = stage.at(-1)
  if (last === undefined) return true
  // Layers are composited in the given order.
  if (action === 'overlay' && last.action === 'overlay') return true
  if (ORDER.indexOf(action) <= ORDER.indexOf(last.action)) return false
  // sharp rotates before it crops a resized image to its final size.
  if (action === 'flip' || action === 'rotate') return !has(stage, 'crop', 'resize')
  // sharp applies half of a color change before compositing and the other half afterward.
  return action !== 'color' || !has(stage, 'overlay', 'circle')
}

function has(stage: readonly ImageAction[], ...names: ImageAction['action'][]): boolean {
  return stage.some(({ action }) => names.includes(action))
}

/** Checks whether the last stage leaves transparency that an opaque format must fill. */
export function opensTransparency(stages: readonly ImageAction[][]): boolean {
  return (stages.at(-1) ?? []).some(
    (action) =>
      (action.action === 'circle' && action.background === null) ||
      (action.action === 'rotate' && action.background === null && action.degrees % 90 !== 0) ||
      (action.action === 'resize' && action.fit === 'contain' && (action.background ?? null) === null),
  )
}
