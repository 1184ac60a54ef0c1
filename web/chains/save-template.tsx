import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { media, queries } from '../api/media.ts'
import { Button } from '../design/button.tsx'
import { Dialog } from '../design/dialog.tsx'
import { TextField } from '../design/field.tsx'
import { ErrorNotice } from '../design/surfaces.tsx'
import { showToast } from '../design/toasts.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { isolate } from '../text/isolate.ts'
import { type Chain, templateName, templateOf } from './chain.ts'
import styles from './chain-panel.module.css'

const texts = defineTexts({
  en: {
    title: 'Save as template',
    name: 'Name',
    name_hint: 'Lowercase letters, digits, _ and -. Programs run the template by this name.',
    description: 'Description',
    save: 'Save',
    saved: (name: string, version: number) => `Saved ${name}, version ${version}`,
  },
  uk: {
    title: 'Зберегти як шаблон',
    name: 'Назва',
    name_hint: 'Малі латинські літери, цифри, _ і -. За цією назвою шаблон запускають програми.',
    description: 'Опис',
    save: 'Зберегти',
    saved: (name: string, version: number) => `Збережено ${name}, версія ${version}`,
  },
  ru: {
    title: 'Сохранить как шаблон',
    name: 'Название',
    name_hint: 'Строчные латинские буквы, цифры, _ и -. По этому названию шаблон запускают программы.',
    description: 'Описание',
    save: 'Сохранить',
    saved: (name: string, version: number) => `Сохранено: ${name}, версия ${version}`,
  },
})

/** Dialog that saves a chain under a name. An existing name gets a new version. */
export function SaveTemplate({ chain, onClose }: { chain: Chain; onClose: () => void }) {
  const t = texts()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const saving = useMutation({
    mutationFn: () => media.value.templates.save(name, templateOf(chain, description || null)),
    onSuccess: ({ version }) => {
      void queries.invalidateQueries({ queryKey: ['templates'] })
      showToast(t.saved(isolate(name), version))
      onClose()
    },
  })
  return (
    <Dialog title={t.title} onClose={onClose}>
      <form
        class={styles.panel}
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate()
        }}
      >
        <TextField
          label={t.name}
          hint={t.name_hint}
          required
          maxLength={64}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
          onBlur={() => setName(templateName(name))}
        />
        <TextField
          label={t.description}
          maxLength={200}
          value={description}
          onInput={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        {saving.error && <ErrorNotice error={saving.error} />}
        <Button look="primary" type="submit" isBusy={saving.isPending}>
          {t.save}
        </Button>
      </form>
    </Dialog>
  )
}
