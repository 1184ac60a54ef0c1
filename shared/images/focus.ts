import type { ImageFacts } from '../planning/facts.ts'
import { type PlanRefusal, refuse } from '../planning/operation.ts'
import type { ImageAction } from '../planning/steps.ts'

/** What a crop looks for: auto keeps the part that people look at, entropy the part with the most details. */
export const FOCUSES = { auto: 'attention', entropy: 'entropy' } as const
export type Focus = keyof typeof FOCUSES

export function isFocus(gravity: string): gravity is Focus {
  return gravity in FOCUSES
}

/** Scales an image to cover a size, and keeps the part that the focus finds. Each frame of an animation differs. */
export function coverByFocus(
  focus: Focus,
  size: { width: number; height: number },
  image: ImageFacts,
): (Extract<ImageAction, { action: 'resize' }> & typeof size) | PlanRefusal {
  const { width, height } = size
  if (image.pages === 1) return { action: 'resize', width, height, fit: 'cover', keep: FOCUSES[focus] }
  return refuse('gravity', {
    en: `${focus} works only for still images. Choose center or a side for an animation`,
    uk: `${focus} працює лише з нерухомими зображеннями. Для анімації виберіть center або край`,
    ru: `${focus} работает только с неподвижными изображениями. Для анимации выберите center или край`,
  })
}
