/** Messages of the last release, and the error codes that its edge knows. Change them only after a release. */
export const RELEASED = {
  dispatches: [
    {
      job_id: 'video-of-an-upload',
      result_id: '5d0f3c1e-6a1b-4f0e-9a55-0c6f0f5b7a11',
      dispatch: 1,
      service_slug: 'video',
      operation_key: 'compress',
      params: {
        preset: 'medium',
        file_url: 'https://media-credits.dev/files/uploads/a/clip.mp4',
      },
      source: {
        kind: 'object',
        key: 'uploads/a/clip.mp4',
      },
      pipeline: [
        {
          operation_key: 'trim',
          params: {
            start: 1,
            duration: 2,
          },
        },
      ],
      assets: {
        watermark: {
          kind: 'url',
          url: 'https://media-credits.dev/logo.png',
        },
      },
      exports: true,
      filename: 'clip.mp4',
      max_input_seconds: 1800,
      tier: 'paid',
      priority: 10,
      hold_ms: 0,
    },
    {
      job_id: 'image-of-customer-storage',
      dispatch: 3,
      service_slug: 'image',
      operation_key: 'resize',
      params: {
        width: 800,
      },
      source: {
        kind: 'storage',
        address: 'storage://photos/a.jpg',
      },
      filename: 'a.jpg',
      max_input_seconds: 600,
      tier: 'anonymous',
      priority: 1000,
      hold_ms: 5000,
    },
    {
      job_id: 'link',
      dispatch: 1,
      service_slug: 'video',
      operation_key: 'fetch_info',
      params: {
        url: 'https://video.media-credits.dev/watch',
      },
      source: {
        kind: 'link',
        url: 'https://video.media-credits.dev/watch',
      },
      filename: 'watch',
      max_input_seconds: 1800,
      tier: 'free',
      priority: 100,
      hold_ms: 0,
    },
  ],
  reports: [
    {
      type: 'job.started',
      job_id: 'a',
      fence: 1001,
      at: '2026-11-20T10:00:00.000Z',
    },
    {
      type: 'job.progress',
      job_id: 'a',
      fence: 1001,
      at: '2026-11-20T10:00:01.000Z',
      progress: 40,
    },
    {
      type: 'job.finished',
      job_id: 'a',
      fence: 1001,
      at: '2026-11-20T10:00:02.000Z',
      started_at: '2026-11-20T10:00:00.000Z',
      outcome: {
        status: 'done',
        processing_seconds: 1.5,
        files: [
          {
            key: 'results/a/1001/clip.mp4',
            filename: 'clip.mp4',
            content_type: 'video/mp4',
            size_bytes: 1200,
            sha256: '9f86d081884c7d659a2feaa0c55ad015',
            exported_to: 'storage://videos/clip.mp4',
          },
        ],
        body: {
          encode_mode: 'encode',
          width: 640,
        },
        input: {
          duration_seconds: 25,
          megapixels: null,
        },
      },
    },
    {
      type: 'job.finished',
      job_id: 'b',
      fence: 2001,
      at: '2026-11-20T10:00:02.000Z',
      started_at: '2026-11-20T10:00:00.000Z',
      outcome: {
        status: 'failed',
        processing_seconds: null,
        error: 'The file is damaged.',
        error_code: 'input_unreadable',
        reason: {
          name: 'not_finished_in_time',
          facts: {},
        },
      },
    },
  ],
  storage_access_requests: [
    {
      type: 'read',
      job_id: 'image-of-customer-storage',
      fence: 3001,
      address: 'storage://photos/a.jpg',
    },
    {
      type: 'write',
      job_id: 'video-of-an-upload',
      fence: 1001,
      filename: 'clip.mp4',
      content_type: 'video/mp4',
      size_bytes: 1200,
      file_count: 1,
    },
  ],
  storage_accesses: [
    {
      outcome: 'granted',
      url: 'https://archive.media-credits.dev/clip.mp4?X-Amz-Signature=ab',
      headers: {
        'content-type': 'video/mp4',
        'content-length': '1200',
      },
      address: 'storage://videos/clip.mp4',
    },
    {
      outcome: 'refused',
      reason: 'Storage connection archive does not exist.',
    },
    {
      outcome: 'over',
    },
  ],
  error_codes: [
    'input_unreadable',
    'input_too_long',
    'input_too_large',
    'wrong_kind',
    'parameter_refused',
    'download_failed',
    'time_limit',
    'output_too_large',
    'export_failed',
    'processing_failed',
  ] as string[],
}
