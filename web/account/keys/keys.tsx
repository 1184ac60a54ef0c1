import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { CreatedApiKey } from '../../../client/src/index.ts'
import { media, queries } from '../../api/media.ts'
import { ErrorNotice, Skeleton } from '../../design/surfaces.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import panel from '../panel.module.css'
import { Panel } from '../panel.tsx'
import { CreateKey } from './create-key.tsx'
import { KeyRow } from './key-row.tsx'
import { NewKey } from './new-key.tsx'

const texts = defineTexts({
  en: {
    title: 'API keys',
    lead: 'Programs use a key to work with your account. Create one for each, so that you can delete it alone.',
    docs: 'How to use the API',
    empty: 'There are no keys yet.',
  },
  uk: {
    title: 'Ключі API',
    lead: 'Програми працюють із вашим обліковим записом за ключем. Створіть окремий ключ для кожної, щоб його можна було видалити окремо.',
    docs: 'Як користуватися API',
    empty: 'Ключів іще немає.',
  },
  ru: {
    title: 'Ключи API',
    lead: 'Программы работают с вашим аккаунтом по ключу. Создайте отдельный ключ для каждой, чтобы его можно было удалить отдельно.',
    docs: 'Как пользоваться API',
    empty: 'Ключей пока нет.',
  },
})

/** Lists, creates, pauses and deletes the API keys of the account. */
export default function Keys() {
  const t = texts()
  const keys = useQuery({ queryKey: ['api-keys'], queryFn: () => media.value.apiKeys.list() })
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  const reload = () => queries.invalidateQueries({ queryKey: ['api-keys'] })
  return (
    <Panel title={t.title} lead={t.lead} actions={<a href="/docs">{t.docs}</a>}>
      {created && <NewKey created={created} onClose={() => setCreated(null)} />}
      <CreateKey
        onCreated={(key) => {
          setCreated(key)
          reload()
        }}
      />
      {keys.isPending && <Skeleton height="6rem" />}
      {keys.error && <ErrorNotice error={keys.error} />}
      {keys.data?.length === 0 && <p class={panel.quiet}>{t.empty}</p>}
      {keys.data && keys.data.length > 0 && (
        <ul class={panel.list}>
          {keys.data.map((key) => (
            <KeyRow key={key.id} apiKey={key} onChange={reload} />
          ))}
        </ul>
      )}
    </Panel>
  )
}
