import type { ImageEdit } from '../edit.ts'

export type MetadataChange = NonNullable<ImageEdit['metadata']>

const ORDER = ['none', 'gps', 'all'] as const

/** What a row of edits comes to: who takes away all, takes away the tags that came before it, too. */
export function collectMetadata(edits: readonly Pick<ImageEdit, 'metadata'>[]): MetadataChange | null {
  return edits.reduce<MetadataChange | null>(
    (before, { metadata }) => (metadata === null ? before : joinChanges(before, metadata)),
    null,
  )
}

function joinChanges(before: MetadataChange | null, next: MetadataChange): MetadataChange {
  if (before === null || next.strip === 'all') return next
  const strip = ORDER[Math.max(ORDER.indexOf(before.strip), ORDER.indexOf(next.strip))] ?? 'all'
  return { strip, tags: { ...before.tags, ...next.tags } }
}
