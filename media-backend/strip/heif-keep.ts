import type { Item, Reference } from './heif-items.ts'

/** Types of items that are images: encoded images, images derived from others, and images with a gain map. */
const IMAGES = new Set([
  ...['hvc1', 'av01', 'avc1', 'vvc1', 'evc1', 'jpeg', 'j2k1', 'unci'],
  ...['grid', 'iovl', 'iden', 'tmap', 'sato', 'mski'],
])
/** Auxiliary images that affect what is displayed: transparency, and gain maps for HDR displays. */
const SHOWN_AUXILIARY = /alpha|auxid:1$|gainmap/i

export interface ItemGraph {
  primary: number
  items: readonly Item[]
  references: readonly Reference[]
  /** The type of each auxiliary image, as stated in its property. */
  auxiliary_types: ReadonlyMap<number, string>
}

/**
 * Selects the items needed to display the images in the file. Excludes thumbnails, depth maps, mattes and anything
 * that is not an image.
 */
export function keptItems({ primary, items, references, auxiliary_types }: ItemGraph): ReadonlySet<number> {
  const images = new Map(items.filter(({ type }) => IMAGES.has(type)).map((item) => [item.id, item]))
  const sourcesOf = (kind: string) => references.filter(({ type }) => type === kind)
  const dependent = new Set([...sourcesOf('thmb'), ...sourcesOf('auxl')].map(({ from }) => from))
  const shown = [...images.values()].filter(({ id, is_hidden }) => !is_hidden && !dependent.has(id))
  const kept = new Set<number>()
  const add = (id: number): void => {
    if (kept.has(id) || !images.has(id)) return
    kept.add(id)
    for (const { type, from, to } of references) {
      if (type === 'dimg' && from === id) to.forEach(add)
      const is_shown = SHOWN_AUXILIARY.test(auxiliary_types.get(from) ?? '')
      if (type === 'auxl' && is_shown && to.includes(id)) add(from)
    }
  }
  for (const id of [primary, ...shown.map((item) => item.id)]) add(id)
  return kept
}
