import type { Tool } from '../../client/src/index.ts'
import type { InputKind } from './workspace/input-kind.ts'
import type { Operation, WorkItem } from './workspace/items.ts'

export type { Tool }
export type Field = Tool['config']['fields'][number]
type Group = Tool['config']['group']

/** Runs nothing but the operations that it is given, so it is a way to send chains, and no tool. */
const CHAIN_ONLY = 'image/edit'

/** Returns the tools that accept any of the kinds; all tools for no kinds. */
export function toolsFor(tools: readonly Tool[], kinds: readonly InputKind[]): Tool[] {
  return tools.filter((tool) => {
    const { enabled, accepts } = tool
    if (!enabled || nameOf(tool) === CHAIN_ONLY) return false
    return kinds.length === 0 || kinds.some((kind) => accepts.includes(kind))
  })
}

/** Returns the items that a tool accepts. */
export function targetsOf(items: readonly WorkItem[], tool: Tool): WorkItem[] {
  return items.filter(({ kind }) => tool.accepts.includes(kind))
}

/** Groups the tools whose title or description contains all searched words. Keeps the order of the service. */
export function groupTools(tools: readonly Tool[], search: string): { group: Group; tools: Tool[] }[] {
  const words = search.toLowerCase().split(/\s+/)
  const found = tools.filter(({ title, description, config: { group } }) => {
    const text = `${title} ${description} ${group.title}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const groups = new Map<Group['key'], { group: Group; tools: Tool[] }>()
  for (const tool of found) {
    const { group } = tool.config
    const entry = groups.get(group.key) ?? { group, tools: [] }
    entry.tools.push(tool)
    groups.set(group.key, entry)
  }
  return [...groups.values()]
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

/** Returns the names of an operation and of those that follow it in a chain, in their order. */
export function namesIn({ service_slug, operation_key, params }: Operation): string[] {
  const further = Array.isArray(params.operations) ? (params.operations as { operation_key: string }[]) : []
  const keys = [operation_key, ...further.map((each) => each.operation_key)]
  return keys.map((key) => `${service_slug}/${key}`)
}

/** Returns the title of an operation, or the titles of all operations of a chain in their order. */
export function titleOf(tools: readonly Tool[], operation: Operation): string {
  const titles = namesIn(operation).map((name) => findTool(tools, name)?.title ?? name.split('/')[1])
  return titles.join(' → ')
}
