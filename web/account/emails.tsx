import { useMutation, useQuery } from '@tanstack/preact-query'
import type { Notifications, NotificationsChange } from '../../client/src/index.ts'
import { useAccount } from '../api/account.ts'
import { media, queries } from '../api/media.ts'
import { CheckField, SelectField } from '../design/field.tsx'
import { ErrorNotice, Notice, Skeleton } from '../design/surfaces.tsx'
import { showToast } from '../design/toasts.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { LANGUAGE_NAMES } from '../text/locale.ts'
import panel from './panel.module.css'
import { Panel } from './panel.tsx'

const texts = defineTexts({
  en: {
    title: 'Emails',
    lead: 'Emails about payments and the security of your account always arrive.',
    unconfirmed: 'These emails arrive once your address is confirmed.',
    jobs: 'Finished jobs',
    each: 'A few minutes after each job',
    daily: 'One summary a day',
    off: 'None',
    news: 'Product news',
    saved: 'Saved.',
    language: (name: string) => `Language of emails: ${name}.`,
  },
  uk: {
    title: 'Листи',
    lead: 'Листи про платежі й безпеку облікового запису надходять завжди.',
    unconfirmed: 'Ці листи надходитимуть, коли ви підтвердите адресу.',
    jobs: 'Завершені завдання',
    each: 'За кілька хвилин після кожного завдання',
    daily: 'Один підсумок на день',
    off: 'Не надсилати',
    news: 'Новини продукту',
    saved: 'Збережено.',
    language: (name: string) => `Мова листів: ${name}.`,
  },
  ru: {
    title: 'Письма',
    lead: 'Письма о платежах и безопасности аккаунта приходят всегда.',
    unconfirmed: 'Эти письма начнут приходить, когда вы подтвердите адрес.',
    jobs: 'Завершенные задания',
    each: 'Через несколько минут после каждого задания',
    daily: 'Одна сводка в день',
    off: 'Не присылать',
    news: 'Новости продукта',
    saved: 'Сохранено.',
    language: (name: string) => `Язык писем: ${name}.`,
  },
})

const KEY = ['notifications']

/** Which emails the account receives besides those about payments and security. */
export default function Emails() {
  const t = texts()
  const account = useAccount().data
  const settings = useQuery({ queryKey: KEY, queryFn: () => media.value.notifications.get() })
  const change = useMutation({
    mutationFn: (changed: NotificationsChange) => media.value.notifications.update(changed),
    onSuccess: (saved) => {
      queries.setQueryData(KEY, saved)
      showToast(t.saved)
    },
  })
  return (
    <Panel title={t.title} lead={t.lead}>
      {settings.isPending && <Skeleton height="9rem" />}
      {settings.error && <ErrorNotice error={settings.error} />}
      {change.error && <ErrorNotice error={change.error} />}
      {settings.data && <Choices settings={settings.data} onChange={change.mutate} />}
      {account && <p class={panel.quiet}>{t.language(LANGUAGE_NAMES[account.locale])}</p>}
    </Panel>
  )
}

interface ChoicesProps {
  settings: Notifications
  onChange: (changed: NotificationsChange) => void
}

function Choices({ settings, onChange }: ChoicesProps) {
  const t = texts()
  const { email_verified, job_notifications, product_news } = settings
  const options = (['daily', 'each', 'off'] as const).map((value) => ({ value, label: t[value] }))
  return (
    <>
      {!email_verified && <Notice>{t.unconfirmed}</Notice>}
      <SelectField
        label={t.jobs}
        options={options}
        value={job_notifications}
        onChange={({ currentTarget }) =>
          onChange({ job_notifications: currentTarget.value as Notifications['job_notifications'] })
        }
      />
      <CheckField
        label={t.news}
        checked={product_news}
        onChange={({ currentTarget }) => onChange({ product_news: currentTarget.checked })}
      />
    </>
  )
}
