import { isoTime } from '../platform/iso-time.ts'
import type { FoundTemplate, StoredVersion } from './queries.ts'

/** Returns a template with the content of its latest version. Contract: Templates, Template record. */
export function viewTemplate({ template, version }: FoundTemplate) {
  return {
    name: template.name,
    description: template.description,
    ...viewVersion(version),
    created_at: isoTime(template.createdAt),
    updated_at: isoTime(template.updatedAt),
  }
}

export function viewVersion({ version, serviceSlug, operations, createdAt }: StoredVersion) {
  return { version, service_slug: serviceSlug, operations, created_at: isoTime(createdAt) }
}
