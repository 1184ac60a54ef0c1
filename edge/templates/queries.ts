import { and, asc, count, desc, eq, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { templates, templateVersions } from '../tables.ts'

export type StoredTemplate = typeof templates.$inferSelect
export type StoredVersion = typeof templateVersions.$inferSelect

/** A template with one of its versions. */
export interface FoundTemplate {
  template: StoredTemplate
  version: StoredVersion
}

type Named = Pick<StoredTemplate, 'accountId' | 'name'>

const isNamed = ({ accountId, name }: Named) =>
  and(eq(templates.accountId, accountId), eq(templates.name, name))
const isVersionOf = ({ accountId, name }: Named) =>
  and(eq(templateVersions.accountId, accountId), eq(templateVersions.name, name))

const withVersions = (db: Database) =>
  db
    .select({ template: templates, version: templateVersions })
    .from(templates)
    .innerJoin(
      templateVersions,
      and(eq(templateVersions.accountId, templates.accountId), eq(templateVersions.name, templates.name)),
    )

/** Lists an account's templates by name, each with its latest version. */
export function listTemplates(db: Database, accountId: number): Promise<FoundTemplate[]> {
  return withVersions(db)
    .where(and(eq(templates.accountId, accountId), eq(templateVersions.version, templates.version)))
    .orderBy(asc(templates.name))
}

/** Lists all versions of a template, newest first; none if there is no such template. */
export function listVersions(db: Database, named: Named): Promise<FoundTemplate[]> {
  return withVersions(db).where(isNamed(named)).orderBy(desc(templateVersions.version))
}

/** Finds a version of a template, or its latest one. */
export async function findVersion(
  db: Database,
  named: Named,
  version: number | undefined,
): Promise<FoundTemplate | undefined> {
  const [found] = await withVersions(db).where(
    and(isNamed(named), eq(templateVersions.version, version ?? templates.version)),
  )
  return found
}

/** Sums the bytes of an account's templates with all their versions. */
const bytesOf = (
  accountId: number,
) => sql`(SELECT coalesce(sum(octet_length(${templateVersions.operations})), 0)
  FROM ${templateVersions} WHERE ${templateVersions.accountId} = ${accountId})`

export async function countTemplates(
  db: Database,
  accountId: number,
): Promise<{ templates: number; bytes: number }> {
  const [row] = await db
    .select({ templates: count(), bytes: bytesOf(accountId).mapWith(Number) })
    .from(templates)
    .where(eq(templates.accountId, accountId))
  return row ?? { templates: 0, bytes: 0 }
}

/** The limits of the templates of an account. */
export interface TemplateLimits {
  templates_max: number
  bytes_max: number
}

/** Inserts a new template. If two are created concurrently, the second loses the race. */
export function insertTemplateStatements(
  db: Database,
  { template, version }: FoundTemplate,
  { templates_max, bytes_max }: TemplateLimits,
): Statement[] {
  const held = sql`SELECT count(*) FROM ${templates} WHERE ${templates.accountId} = ${template.accountId}`
  return [
    guardStatement(db, sql`(${held}) < ${templates_max} AND NOT EXISTS (${rowOf(template)})`),
    db.insert(templates).values(template),
    db.insert(templateVersions).values(version),
    bytesGuard(db, template, bytes_max),
  ]
}

function bytesGuard(db: Database, { accountId }: Named, bytes_max: number): Statement {
  return guardStatement(db, sql`${bytesOf(accountId)} <= ${bytes_max}`)
}

/**
 * Changes a template, and adds a version if there is a new one. Loses the race if the template was changed or
 * deleted concurrently.
 * @param known the latest version that the change is based on.
 */
export function changeTemplateStatements(
  db: Database,
  { template, version }: FoundTemplate,
  known: number,
  bytes_max: number,
): Statement[] {
  const { description, updatedAt } = template
  const isKnown = sql`EXISTS (${rowOf(template)} AND ${templates.version} = ${known})`
  return [
    guardStatement(db, isKnown),
    db.update(templates).set({ description, updatedAt, version: version.version }).where(isNamed(template)),
    ...(version.version === known
      ? []
      : [db.insert(templateVersions).values(version), bytesGuard(db, template, bytes_max)]),
  ]
}

function rowOf(named: Named) {
  return sql`SELECT 1 FROM ${templates} WHERE ${isNamed(named)}`
}

export function deleteTemplateStatements(db: Database, named: Named): Statement[] {
  return [db.delete(templateVersions).where(isVersionOf(named)), db.delete(templates).where(isNamed(named))]
}
