/**
 * Loads Node's HTTP modules with `require`. An ESM import from `node:http` builds a facade that
 * reads every export, and on Node 24 one export loads undici: about 26 ms CPU at each start, for
 * something this program never uses.
 */
import {createRequire} from 'node:module';

const require = createRequire(import.meta.url);

export function nodeHttp(): typeof import('node:http') {
	return require('node:http');
}

export function nodeHttps(): typeof import('node:https') {
	return require('node:https');
}
