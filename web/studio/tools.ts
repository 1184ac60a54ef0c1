import { useQuery } from '@tanstack/preact-query'
import type { Tool } from '../../client/src/index.ts'
import { media } from '../api/media.ts'
import { locale } from '../text/locale.ts'
import type { InputKind } from './work/input-kind.ts'
import type { Operation } from './work/items.ts'

export type { Tool }
export type Field = Tool['config']['fields'][number]

/** Reads all operations, in the language of the page. */
export function useTools() {
  return useQuery({
    queryKey: ['tools', locale.value],
    queryFn: () => media.value.studio.listTools(),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Returns the tools that accept every given kind of input. */
export function toolsFor(tools: readonly Tool[], kinds: readonly InputKind[]): Tool[] {
  return tools.filter((tool) => tool.enabled && kinds.every((kind) => tool.accepts.includes(kind)))
}

export function nameOf({
  service_slug,
  operation_key,
}: Pick<Operation, 'service_slug' | 'operation_key'>): string {
  return `${service_slug}/${operation_key}`
}

export function findTool(tools: readonly Tool[], name: string): Tool | null {
  return tools.find((tool) => nameOf(tool) === name) ?? null
}
