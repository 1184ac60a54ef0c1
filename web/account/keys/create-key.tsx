import { Plus } from 'lucide-preact'
import type { CreatedApiKey } from '../../../client/src/index.ts'
import { media } from '../../api/media.ts'
import { Button } from '../../design/button.tsx'
import { TextField } from '../../design/field.tsx'
import { Form } from '../../design/form.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import styles from './keys.module.css'

const texts = defineTexts({
  en: { name: 'Name of the new key', example: 'Nightly import', create: 'Create' },
  uk: { name: 'Назва нового ключа', example: 'Нічний імпорт', create: 'Створити' },
  ru: { name: 'Название нового ключа', example: 'Ночной импорт', create: 'Создать' },
})

export function CreateKey({ onCreated }: { onCreated: (key: CreatedApiKey) => void }) {
  const t = texts()
  async function create({ name }: { name: string }, form: HTMLFormElement) {
    const trimmed = name.trim()
    onCreated(await media.value.apiKeys.create(trimmed === '' ? {} : { name: trimmed }))
    form.reset()
  }
  return (
    <Form fields={['name']} submit={create}>
      {({ faults, isBusy }) => (
        <div class={styles.create}>
          <TextField
            label={t.name}
            name="name"
            placeholder={t.example}
            maxLength={64}
            autocomplete="off"
            fault={faults.name}
          />
          <Button type="submit" look="primary" isBusy={isBusy}>
            <Plus size={18} aria-hidden />
            {t.create}
          </Button>
        </div>
      )}
    </Form>
  )
}
