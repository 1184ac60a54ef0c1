import type { ImageEdit } from '../ffmpeg/edit.ts'

export type MetadataChange = NonNullable<ImageEdit['metadata']>

/** Merges the metadata changes of several edits. Removing all metadata also removes the tags set by earlier edits. */
export function collectMetadata(edits: readonly Pick<ImageEdit, 'metadata'>[]): MetadataChange | null {
  return edits.reduce<MetadataChange | null>(
    (before, { metadata }) => (metadata === null ? before : joinChanges(before, metadata)),
    null,
  )
}

function joinChanges(before: MetadataChange | null, next: MetadataChange): MetadataChange {
  if (before === null || next.strip === 'all') return next
  const strip = before.strip === 'all' ? 'all' : [...new Set([...before.strip, ...next.strip])]
  return { strip, tags: { ...before.tags, ...next.tags } }
}
