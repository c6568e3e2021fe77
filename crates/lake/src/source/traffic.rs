//! HTTP clients of stores that count requests and bytes. They see each retry and each page of a
//! listing.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
    ReqwestConnector,
};
use parking_lot::Mutex;

use super::list_page;

/// Requests to stores over the network, by the kinds in price lists, and bytes of bodies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Traffic {
    /// Requests for pages of listings.
    pub list: u64,
    /// Requests for objects or ranges of objects.
    pub get: u64,
    /// Requests for the existence of an object or the region of a bucket.
    pub head: u64,
    /// Requests that write objects.
    pub put: u64,
    /// Requests that delete objects, up to a thousand each.
    pub delete: u64,
    /// Bytes received in bodies.
    pub received: u64,
    /// Bytes sent in bodies.
    pub sent: u64,
}

impl Traffic {
    /// Returns the traffic since `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        self.combine(before, |now, before| now - before)
    }

    /// Returns the sum of both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one + other)
    }

    fn combine(&self, other: &Self, combine: fn(u64, u64) -> u64) -> Self {
        Self {
            list: combine(self.list, other.list),
            get: combine(self.get, other.get),
            head: combine(self.head, other.head),
            put: combine(self.put, other.put),
            delete: combine(self.delete, other.delete),
            received: combine(self.received, other.received),
            sent: combine(self.sent, other.sent),
        }
    }

    /// Whether there was no request.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Traffic {
    /// Formats the counts that are not zero: `1 LIST, 7 GET, 48211 bytes received`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.list, "LIST"),
            (self.get, "GET"),
            (self.head, "HEAD"),
            (self.put, "PUT"),
            (self.delete, "DELETE"),
            (self.received, "bytes received"),
            (self.sent, "bytes sent"),
        ];
        let texts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        let texts: Vec<String> = texts.collect();
        if texts.is_empty() { f.write_str("no request") } else { f.write_str(&texts.join(", ")) }
    }
}

/// Maximum number of keys that no path can have, over all listings.
const MAX_ODD_KEYS: usize = 10_000;

/// Traffic that several stores count together, and the keys of their listings that no path can have.
#[derive(Debug, Default)]
pub(super) struct TrafficCounter {
    traffic: Mutex<Traffic>,
    odd_keys: Mutex<BTreeSet<String>>,
}

impl TrafficCounter {
    pub(super) fn total(&self) -> Traffic {
        *self.traffic.lock()
    }

    /// Takes the keys with a prefix that no path can have, of all pages of listings so far.
    pub(super) fn take_odd_keys(&self, prefix: &str) -> Vec<String> {
        self.odd_keys.lock().extract_if(.., |key| key.starts_with(prefix)).collect()
    }

    /// Returns the page without the objects that have such keys. Beyond a number of them, it is returned as it is, which
    /// fails the listing.
    fn without_odd_keys(&self, page: Bytes) -> Bytes {
        let mut odd_keys = self.odd_keys.lock();
        if odd_keys.len() >= MAX_ODD_KEYS {
            return page;
        }
        let (page, keys) = list_page::take_odd_keys(page);
        odd_keys.extend(keys);
        page
    }

    /// Counts a request. Returns whether it reads the bytes of an object.
    fn count(&self, request: &HttpRequest) -> bool {
        let query_has = |what: &str| request.uri().query().is_some_and(|query| query.contains(what));
        let method = request.method().as_str();
        // PROPFIND lists a folder of WebDAV.
        let is_list = method == "PROPFIND" || method == "GET" && query_has("list-type=");
        let mut traffic = self.traffic.lock();
        let count = match method {
            _ if is_list => &mut traffic.list,
            "GET" => &mut traffic.get,
            "HEAD" => &mut traffic.head,
            "DELETE" => &mut traffic.delete,
            "POST" if query_has("delete") => &mut traffic.delete,
            _ => &mut traffic.put,
        };
        *count += 1;
        traffic.sent += request.body().content_length() as u64;
        method == "GET" && !is_list
    }
}

/// Creates HTTP clients that count their requests.
#[derive(Debug)]
pub(super) struct CountingConnector(pub(super) Arc<TrafficCounter>);

impl HttpConnector for CountingConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = ReqwestConnector::default().connect(options)?;
        let (responded, failures) = (AtomicBool::new(false), AtomicU32::new(0));
        Ok(HttpClient::new(CountingClient { client, counter: Arc::clone(&self.0), responded, failures }))
    }
}

/// An HTTP client that counts its requests.
#[derive(Debug)]
struct CountingClient {
    client: HttpClient,
    counter: Arc<TrafficCounter>,
    /// Whether there was a response to any request.
    responded: AtomicBool,
    /// Number of failed connections.
    failures: AtomicU32,
}

/// Maximum size of a page of a listing, in bytes.
const MAX_PAGE: usize = 64 << 20;

/// Maximum size of other bodies, except of objects, in bytes: WebDAV lists a folder on one page.
const MAX_BODY: usize = 1 << 30;

/// Converts the error of reading such a body. One that is too large is not requested again.
fn body_error(error: Box<dyn std::error::Error + Send + Sync>) -> HttpError {
    let kind = if error.is::<LengthLimitError>() { HttpErrorKind::Unknown } else { HttpErrorKind::Interrupted };
    HttpError::new(kind, std::io::Error::other(error))
}

/// Failed connections after which an address without any response counts as wrong: it may be
/// misspelled.
const MAX_FAILURES: u32 = 3;

impl CountingClient {
    /// Whether the address never responded, so that a retry is useless.
    fn is_wrong_address(&self, error: &HttpError) -> bool {
        error.kind() == HttpErrorKind::Connect
            && !self.responded.load(Ordering::Relaxed)
            && self.failures.fetch_add(1, Ordering::Relaxed) >= MAX_FAILURES
    }
}

#[async_trait]
impl HttpService for CountingClient {
    #[tracing::instrument(target = "tracelake::request", name = "request", skip_all,
        fields(method = request.method().as_str(), path = request.uri().path(), status, bytes))]
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let reads_body_now = !self.counter.count(&request);
        let is_page = reads_body_now && request.method() == "GET";
        let max = if is_page { MAX_PAGE } else { MAX_BODY };
        let response = self.client.execute(request).await.map_err(|error| {
            if self.is_wrong_address(&error) { HttpError::new(HttpErrorKind::Unknown, error) } else { error }
        })?;
        self.responded.store(true, Ordering::Relaxed);
        let span = tracing::Span::current();
        span.record("status", response.status().as_u16());
        let counter = Arc::clone(&self.counter);
        if reads_body_now {
            // A failed request is retried, but not a failed body. So a short body is read as part
            // of the request.
            let (head, body) = response.into_parts();
            let read = Limited::new(body, max).collect().await;
            let bytes = read.map_err(body_error)?.to_bytes();
            counter.traffic.lock().received += bytes.len() as u64;
            span.record("bytes", bytes.len());
            let body = if is_page { counter.without_odd_keys(bytes) } else { bytes };
            return Ok(HttpResponse::from_parts(head, body.into()));
        }
        Ok(response.map(|body| {
            // The span ends with the body.
            let mut received = 0;
            HttpResponseBody::new(body.map_frame(move |frame| {
                let bytes = frame.data_ref().map_or(0, |data| data.len() as u64);
                counter.traffic.lock().received += bytes;
                received += bytes;
                span.record("bytes", received);
                frame
            }))
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_counts_above_zero_are_formatted() {
        let before = Traffic { list: 1, get: 2, received: 10, ..Traffic::default() };
        let after = Traffic { list: 1, get: 9, received: 300, put: 1, sent: 4, ..Traffic::default() };
        assert_eq!(after.since(&before).to_string(), "7 GET, 1 PUT, 290 bytes received, 4 bytes sent");
        assert_eq!(Traffic::default().to_string(), "no request");
        assert!(after.since(&after).is_none());
    }
}
