'use strict';
// One server for a test file, emptied before each test, and clients that are closed after it.

const assert = require('node:assert/strict');
const { after, afterEach, before, beforeEach } = require('node:test');
const Redis = require('ioredis');
const { LocalServer } = require('./local_server.js');

// Registers the hooks; the result is complete when the first test runs.
function shareServer(defaults = {}) {
  let open = [];
  const shared = {
    server: undefined,
    connect(options = {}) {
      const port = shared.server.port;
      const connection = new Redis({ port, maxRetriesPerRequest: 2, ...defaults, ...options });
      open.push(connection);
      return connection;
    },
  };
  before(async () => {
    shared.server = await LocalServer.start();
  });
  after(() => shared.server.stop());
  beforeEach(() => shared.connect().flushall());
  afterEach(() => {
    open.forEach((connection) => connection.disconnect());
    open = [];
    assert.ok(shared.server.isRunning(), 'the server crashed');
  });
  return shared;
}

// Resolves when `attempt` does to something true; 20 seconds are patience, not a measure.
async function eventually(what, attempt) {
  const deadline = Date.now() + 20000;
  while (!(await attempt())) {
    assert.ok(Date.now() < deadline, what);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

module.exports = { eventually, shareServer };
