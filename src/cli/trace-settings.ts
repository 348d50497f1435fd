/** Lines of `-v` about the settings of a run: those that are not defaults, and the key. */
import {describeKey} from '../redact.ts';
import type {LoadedSettings, SettingsSource} from '../settings/options/load-settings.ts';

import {describeChanged, shorten} from '../settings/service/describe-settings.ts';
import type {ServiceSettings} from '../settings/service/service-settings.ts';

export function traceSettings(
	loaded: LoadedSettings,
	variables: SettingsSource['variables'],
	{baseUrl, apiKey, keySource}: ServiceSettings,
): readonly string[] {
	const lines = describeChanged(loaded, variables)
		.filter(({key}) => key !== 'verbose')
		// A system message may be long.
		.map(({key, text, source}) => `= ${key}: ${shorten(text, 80)} (${source})`);
	const key = apiKey === undefined ? 'none' : `${describeKey(apiKey)} (${keySource})`;
	if (baseUrl !== undefined) lines.push(`= API key: ${key}`);
	return lines;
}
