/** What `-v` says about the settings of a run: what differs from the defaults, and whose key it is. */
import type {Notice} from '../chat/event.ts';
import {describeKey, redactUrl} from '../redact.ts';
import type {LoadedSettings} from '../settings/options/load-settings.ts';
import {describeChanged} from '../settings/service/describe-settings.ts';
import type {ServiceSettings} from '../settings/service/service-settings.ts';

/** A system message may be long. */
const maxLength = 80;

export function traceSettings(
	loaded: LoadedSettings,
	{baseUrl, apiKey, keySource}: ServiceSettings,
): readonly Notice[] {
	const lines = describeChanged(loaded)
		.filter(({key}) => key !== 'verbose')
		.map(({key, text, source}) => `= ${key}: ${shorten(text)} (${source})`);
	if (baseUrl !== undefined) {
		if (loaded.settings.baseUrl === undefined) {
			lines.push(`= base-url: ${redactUrl(baseUrl)} (OPENAI_BASE_URL)`);
		}
		const key = apiKey === undefined ? 'none' : `${describeKey(apiKey)} (${keySource})`;
		lines.push(`= API key: ${key}`);
	}
	return lines.map((message) => ({code: 'trace', message}));
}

function shorten(text: string): string {
	return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}
