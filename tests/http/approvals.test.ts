import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { db } from "../../app/db/connection.server";
import { loadSettings } from "../../app/features/settings/settings.server";
import { updateAlerts } from "../../app/features/alerts/update-alerts.server";
import { insertUser } from "../factories/people-and-machines";
import { plainBrowser, type PlainPage } from "../support/plain-browser";
import { openSession, useServer } from "../support/server";
