/** The options of `chat serve`, in the form of the other options. They have no variables. */
import {inGroup, option, optional, toggle} from '../../settings/options/option-row.ts';
import {
	numberBetween,
	type Parse,
	parseDuration,
	parseName,
	parseText,
	ValueError,
} from '../../settings/options/parsers.ts';

const parsePort: Parse<number> = (text) => {
	const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
	if (port <= 65_535) return port;
	throw new ValueError('must be a port from 0 to 65535');
};

/** Milliseconds, or a duration with its unit. */
const parseLatency: Parse<number> = (text) =>
	parseDuration(/^\d+$/.test(text) ? `${text}ms` : text);

export const serveRows = inGroup('Options', {
	port: option(parsePort, {
		flags: ['--port <n>'],
		summary: 'port to listen on; 0 for a free one',
		defaultValue: 8080,
	}),
	// Never empty: that would mean every address of this machine.
	host: option(parseName, {
		flags: ['--host <address>'],
		summary: 'address to listen on',
		defaultValue: '127.0.0.1',
	}),
	apiKeyFile: optional(parseText, {
		flags: ['--api-key-file <path>'],
		values: 'files',
		summary: 'file with the API key that clients must send',
	}),
	latency: option(parseLatency, {
		flags: ['--latency <ms>'],
		summary: 'delay before each reply',
		defaultValue: 0,
	}),
	rate: optional(numberBetween(0.1, 1_000_000), {
		flags: ['--rate <tokens/s>'],
		summary: 'speed of streamed replies',
	}),
	scenario: optional(parseText, {
		flags: ['--scenario <file>'],
		values: 'files',
		summary: 'YAML or JSON file of scripted replies and faults',
	}),
	verbose: toggle(false, {
		flags: ['-v, --verbose'],
		summary: 'log each request to stderr',
	}),
});
