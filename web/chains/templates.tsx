import { useQuery } from '@tanstack/preact-query'
import { Layers, Trash2 } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Template } from '../../client/src/index.ts'
import { SignedIn } from '../account/signed-in.tsx'
import { media, queries } from '../api/media.ts'
import { Button, IconButton, LinkButton } from '../design/button.tsx'
import { ConfirmDialog } from '../design/confirm-dialog.tsx'
import { RetryNotice } from '../design/retry-notice.tsx'
import { Card, EmptyState, Skeleton } from '../design/surfaces.tsx'
import { Page } from '../shell/page.tsx'
import { findTool } from '../studio/tools.ts'
import { useTools } from '../studio/use-tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatDateTime } from '../text/format.ts'
import { isolate } from '../text/isolate.ts'
import { chainOf } from './chain.ts'
import { chain } from './current-chain.ts'
import styles from './templates.module.css'

const texts = defineTexts({
  en: {
    title: 'Templates',
    lead: 'Chains of tools, saved under a name. Programs run them by that name.',
    empty: 'No templates yet',
    empty_text: 'Build a chain in the studio and save it.',
    build: 'Build a chain',
    open: 'Open in the studio',
    changed: (version: number, time: string) => `Version ${version} · ${time}`,
    remove: (name: string) => `Delete ${name}`,
    removing: (name: string) => `Delete the template ${name}?`,
    removing_text: 'Programs that use it will fail. Jobs that have used it stay as they are.',
    confirm: 'Delete',
  },
  uk: {
    title: 'Шаблони',
    lead: 'Ланцюжки інструментів, збережені під назвою. Програми запускають їх за цією назвою.',
    empty: 'Шаблонів ще немає',
    empty_text: 'Складіть ланцюжок у студії та збережіть його.',
    build: 'Скласти ланцюжок',
    open: 'Відкрити в студії',
    changed: (version: number, time: string) => `Версія ${version} · ${time}`,
    remove: (name: string) => `Видалити ${name}`,
    removing: (name: string) => `Видалити шаблон ${name}?`,
    removing_text: 'Програми, які його використовують, перестануть працювати. Виконані завдання залишаться.',
    confirm: 'Видалити',
  },
  ru: {
    title: 'Шаблоны',
    lead: 'Цепочки инструментов, сохраненные под названием. Программы запускают их по этому названию.',
    empty: 'Шаблонов пока нет',
    empty_text: 'Соберите цепочку в студии и сохраните ее.',
    build: 'Собрать цепочку',
    open: 'Открыть в студии',
    changed: (version: number, time: string) => `Версия ${version} · ${time}`,
    remove: (name: string) => `Удалить ${name}`,
    removing: (name: string) => `Удалить шаблон ${name}?`,
    removing_text: 'Программы, которые его используют, перестанут работать. Выполненные задания останутся.',
    confirm: 'Удалить',
  },
})

/** The saved chains of the account. */
export default function Templates() {
  const t = texts()
  return (
    <SignedIn>
      <Page title={t.title} lead={t.lead} actions={<LinkButton href="/studio/chain">{t.build}</LinkButton>}>
        <TemplateList />
      </Page>
    </SignedIn>
  )
}

function TemplateList() {
  const t = texts()
  const { data, error, refetch } = useQuery({
    queryKey: ['templates'],
    queryFn: () => media.value.templates.list(),
  })
  if (error) return <RetryNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height="12rem" />
  if (data.length === 0) {
    return (
      <EmptyState icon={<Layers size={40} aria-hidden />} title={t.empty}>
        {t.empty_text}
      </EmptyState>
    )
  }
  return (
    <ul class={styles.list}>
      {data.map((template) => (
        <li key={template.name}>
          <TemplateCard template={template} />
        </li>
      ))}
    </ul>
  )
}

function TemplateCard({ template }: { template: Template }) {
  const t = texts()
  const { route } = useLocation()
  const { data: tools = [] } = useTools()
  const [isRemoving, setRemoving] = useState(false)
  const { name, description, version, service_slug, operations, updated_at } = template
  const titles = operations.map(
    ({ operation_key }) => findTool(tools, `${service_slug}/${operation_key}`)?.title ?? operation_key,
  )
  return (
    <Card class={styles.card}>
      <div class={styles.about}>
        <h2 class={styles.name}>
          <bdi>{name}</bdi>
        </h2>
        {description && <p>{description}</p>}
        <p class={styles.quiet}>{titles.join(' → ')}</p>
        <p class={styles.quiet}>{t.changed(version, formatDateTime(updated_at))}</p>
      </div>
      <div class={styles.actions}>
        <Button
          onClick={() => {
            chain.value = chainOf(template)
            route('/studio/chain')
          }}
        >
          {t.open}
        </Button>
        <IconButton label={t.remove(isolate(name))} onClick={() => setRemoving(true)}>
          <Trash2 size={18} aria-hidden />
        </IconButton>
      </div>
      {isRemoving && <RemoveTemplate name={name} onClose={() => setRemoving(false)} />}
    </Card>
  )
}

function RemoveTemplate({ name, onClose }: { name: string; onClose: () => void }) {
  const t = texts()
  const remove = async () => {
    await media.value.templates.delete(name)
    void queries.invalidateQueries({ queryKey: ['templates'] })
  }
  return (
    <ConfirmDialog title={t.removing(isolate(name))} action={t.confirm} confirm={remove} onClose={onClose}>
      {t.removing_text}
    </ConfirmDialog>
  )
}
